// Every misconfiguration of what the service calls outside that `plugboard doctor` finds.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { expectFinding, findings, newInstallation, SECRET } from "../support/doctor.ts";
import { startProxy } from "../support/recording-proxy.ts";

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const { env } = await newInstallation();

it("a proxy that does not answer is found: outbound-proxy-unreachable", async () => {
  const settings = { ...env, HTTPS_PROXY: `http://user:${SECRET}@127.0.0.1:1` };
  await expectFinding(
    settings,
    "outbound-proxy-unreachable",
    /^HTTPS_PROXY: the proxy at 127\.0\.0\.1:1 .*ECONNREFUSED/,
  );
});

it("a proxy for http alone, and exceptions that match nothing, are found: outbound-proxy-partial, no-proxy-invalid", async () => {
  const proxy = await startProxy(1);
  const address = proxy.url.replace("//", `//user:${SECRET}@`);
  expect(
    await findings({ ...env, HTTPS_PROXY: address, NO_PROXY: "10.0.0.0/8,.corp.test,*.b.test,c.test:8080" }),
  ).toEqual([]);
  await expectFinding({ ...env, http_proxy: address }, "outbound-proxy-partial", /HTTPS_PROXY is not/);
  const settings = { ...env, HTTPS_PROXY: address, NO_PROXY: "https://git.corp.test, 10.0.*, corp.test" };
  await expectFinding(settings, "no-proxy-invalid", /NO_PROXY: https:\/\/git\.corp\.test, 10\.0\.\* cannot match/);
  await proxy.close();
});

const oidc = { OIDC_CLIENT_ID: "plugboard", OIDC_CLIENT_SECRET: SECRET, OIDC_ROLES: "*=viewer@Acme,staff=admin@*" };

it("an issuer that does not answer is found: oidc-unreachable", async () => {
  const settings = { ...env, ...oidc, OIDC_ISSUER: "http://127.0.0.1:1" };
  await expectFinding(
    settings,
    "oidc-unreachable",
    /nobody can sign in at http:\/\/127\.0\.0\.1:1: 127\.0\.0\.1:1 did not answer/,
  );
});

it("another issuer, and a role in an unknown workspace, are found: oidc-invalid, oidc-workspace-unknown", async () => {
  let issuer = "";
  const url = await serve((_, response) => {
    response.setHeader("content-type", "application/json");
    const endpoints = { authorization_endpoint: `${url}/a`, token_endpoint: `${url}/t`, jwks_uri: `${url}/k` };
    response.end(JSON.stringify({ issuer, ...endpoints }));
  });
  issuer = url;
  const settings = { ...env, ...oidc, OIDC_ISSUER: url };
  expect(await findings(settings)).toEqual([]);
  const unknown = { ...settings, OIDC_ROLES: "*=viewer@Acne,staff=admin@ws_1" };
  await expectFinding(unknown, "oidc-workspace-unknown", /there is no workspace Acne$/);
  issuer = "https://login.other.test";
  await expectFinding(settings, "oidc-invalid", /nobody can sign in/);
});

it("a collector that does not answer, or refuses, is found: telemetry-refused", async () => {
  const asked: string[] = [];
  let status = 200;
  const url = await serve((request, response) => {
    asked.push(request.url!);
    request.resume();
    response.writeHead(status).end();
  });
  const settings = {
    ...env,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${SECRET}`,
  };
  expect(await findings(settings)).toEqual([]);
  expect(asked.toSorted()).toEqual(["/v1/logs", "/v1/metrics", "/v1/traces"]);
  status = 401;
  await expectFinding(settings, "telemetry-refused", /does not take traces, metrics, logs: the collector answered 401/);
  const missing = { ...settings, OTEL_EXPORTER_OTLP_CERTIFICATE: "/missing.pem" };
  await expectFinding(missing, "telemetry-refused", /OTEL_EXPORTER_OTLP_CERTIFICATE: cannot read the file/);
  const only = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
  };
  await expectFinding(
    { ...settings, ...only },
    "telemetry-refused",
    /does not take traces: .* \(http:\/\/127\.0\.0\.1:1\)$/,
  );
  const silent = await serve(() => {});
  const late = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: silent, OTEL_EXPORTER_OTLP_TIMEOUT: "100" };
  await expectFinding(late, "telemetry-refused", /traces, metrics, logs: .*timeout/);
});
