// Every misconfiguration of public addresses, certificates and reverse proxies that `plugboard doctor` finds: behind a
// TLS server of the test, which stands for the reverse proxy.
import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { withPort } from "../../src/commands/start.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { VERSION } from "../../src/runtime/version.ts";
import { createService } from "../../src/service.ts";
import { type Certificate, contentsOf, createAuthority } from "../support/certificates.ts";
import { expectFinding, findings, newInstallation, type Settings } from "../support/doctor.ts";

const NAME = "plugboard.test";
const authority = createAuthority(60);
const trusted = getCACertificates("default");
setDefaultCACertificates([...trusted, contentsOf({ cert: authority.ca, key: authority.ca }).cert.toString()]);

const servers: Server[] = [];
async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

interface Behavior {
  /** Changes what is forwarded. */
  headers(forwarded: Record<string, string | undefined>): Record<string, string | undefined>;
  hidesMetrics: boolean;
  /** Answers instead of the service. */
  answer: RequestListener | undefined;
}
const correct: Behavior = { headers: (forwarded) => forwarded, hidesMetrics: true, answer: undefined };
let behavior = correct;
let servicePort = 0;

/** What a reverse proxy does. */
const forward: RequestListener = (incoming, response) => {
  if (behavior.answer) return behavior.answer(incoming, response);
  if (behavior.hidesMetrics && incoming.url === "/metrics") return response.writeHead(404).end();
  const headers = behavior.headers({ host: incoming.headers.host, "x-forwarded-for": "192.0.2.1" });
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  const call = request({ host: "127.0.0.1", port: servicePort, path: incoming.url, headers: given }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  call.end();
};
const startProxy = (certificate: Certificate) => listen(createTlsServer(contentsOf(certificate), forward));

const addresses = (origin: string): Settings =>
  Object.fromEntries(
    ["unified", "platform", "auth", "proxy", "mcp", "dashboard"].map((name) => [
      `${name.toUpperCase()}_URL`,
      `${origin}/${name}`,
    ]),
  );

const proxyPort = await startProxy(authority.issue(`DNS:${NAME}`));
const origin = `https://${NAME}:${proxyPort}`;
const { env: stored, store } = await newInstallation();
await store.close();
const settings = { ...stored, ...addresses(origin) };
const { config, releasePort } = await withPort(settings);
const { port } = config;
const env: Settings = { ...settings, PORT: String(port) };
const service = await createService(config, createLogger("silent"));
await releasePort();
await service.listen();
servicePort = port;

beforeEach(() => {
  behavior = correct;
});
afterAll(async () => {
  await service.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  setDefaultCACertificates(trusted);
  authority.remove();
});

it("a service behind a reverse proxy is healthy, also while it does not run", async () => {
  expect(await findings(env)).toEqual([]);
  behavior = { ...correct, answer: (_, response) => response.writeHead(502).end() };
  expect(await findings({ ...env, PORT: "1" })).toEqual([]);
  expect(await findings({ ...stored, ...addresses(`https://${NAME}:1`), PORT: "1" })).toEqual([]);
});

describe("public addresses", () => {
  it("an address without encryption is found: address-insecure", async () => {
    const plain = await listen(createServer(forward));
    await expectFinding({ ...env, ...addresses(`http://${NAME}:${plain}`) }, "address-insecure", /is not encrypted/);
  });

  it("a name without an address is found: address-unresolvable", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" }));
    await expectFinding(env, "address-unresolvable", /the name plugboard\.test cannot be resolved \(ENOTFOUND\)/, {
      resolve,
    });
  });

  it("a name server that does not answer is waited for 5 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let isDone = false;
    const resolve = () => new Promise<never>(() => {});
    const found = findings({ ...env, PORT: "0" }, { resolve }).finally(() => {
      isDone = true;
    });
    while (!isDone) await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(await found).toMatchObject([
      { id: "address-unresolvable", problem: expect.stringMatching(/no answer within 5 s/) },
    ]);
  });

  it("an address at which nothing listens is found while the service runs: address-unreachable", async () => {
    await expectFinding({ ...env, ...addresses(`https://${NAME}:1`) }, "address-unreachable", /ECONNREFUSED/);
  });

  it("a reverse proxy that does not reach the service is found: address-unreachable", async () => {
    behavior = { ...correct, answer: (_, response) => response.writeHead(502).end() };
    await expectFinding(env, "address-unreachable", /^UNIFIED_URL, .*, DASHBOARD_URL: .* answers 502, although/);
  });

  it("something else at one address is found: address-other", async () => {
    await expectFinding(
      { ...env, MCP_URL: `${origin}/mpc` },
      "address-other",
      /^MCP_URL: .*\/mpc is answered by something else .* \(status 404\)/,
    );
    behavior = { ...correct, answer: (_, response) => response.end("<h1>It works!</h1>") };
    await expectFinding(env, "address-other", /^UNIFIED_URL, .*, DASHBOARD_URL: .* \(status 200\)/);
  });

  it("another installation at the address is found: address-other", async () => {
    const other = await newEnvironment();
    await expectFinding(
      { ...other, ...addresses(origin) },
      "address-other",
      /another installation of Plugboard answers/,
    );
  });

  it("an address that redirects is found: address-redirects", async () => {
    behavior = {
      ...correct,
      answer: (incoming, response) =>
        incoming.url === "/metrics"
          ? response.writeHead(404).end()
          : response.writeHead(301, { location: `https://www.${NAME}${incoming.url}` }).end(),
    };
    await expectFinding(env, "address-redirects", /redirects to https:\/\/www\.plugboard\.test, where/);
  });

  it("metrics that everybody can read are found: metrics-public", async () => {
    behavior = { ...correct, hidesMetrics: false };
    await expectFinding(env, "metrics-public", /:\d+\/metrics shows the metrics/);
  });

  it("a reverse proxy that replaces the host is found: proxy-host", async () => {
    behavior = { ...correct, headers: (forwarded) => ({ ...forwarded, host: `127.0.0.1:${port}` }) };
    await expectFinding(env, "proxy-host", /replaces the Host/);
  });

  it("a reverse proxy that does not say who the client is is found: proxy-forwarded-for", async () => {
    behavior = { ...correct, headers: ({ host }) => ({ host }) };
    await expectFinding(env, "proxy-forwarded-for", /does not set X-Forwarded-For/);
  });

  it("a clock that differs from that of the reverse proxy is found: clock-differs", async () => {
    const now = () => Date.now() + 60_000;
    await expectFinding(env, "clock-differs", /6\d s ahead of that of plugboard\.test/, { now });
  });
});

/** Another installation, which does not run. */
async function newEnvironment(): Promise<Settings> {
  const { ENCRYPTION_KEY: _, ...rest } = stored;
  return {
    ...rest,
    PORT: "0",
    DATA_DIR: `${stored.DATA_DIR}/other`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
}

describe("certificates", () => {
  const days = (count: number) => authority.issueFor(count, `DNS:${NAME}`);
  const untrusted = createAuthority(60);
  afterAll(() => untrusted.remove());
  it.each([
    ["certificate-expired", "that has expired", () => days(-1), /is valid from .* to .* only/],
    ["certificate-name", "of another name", () => authority.issue("DNS:other.test"), /is for DNS:other\.test/],
    [
      "certificate-untrusted",
      "of an unknown authority",
      () => untrusted.issue(`DNS:${NAME}`),
      /is not trusted here: \w+/,
    ],
  ] as const)("%s: a certificate %s is found", async (id, _, issue, problem) => {
    const certified = await startProxy(issue());
    await expectFinding({ ...env, ...addresses(`https://${NAME}:${certified}`) }, id, problem);
  });

  it("certificate-expiring: a certificate that was to be renewed is found, and not one that is valid for a week", async () => {
    const later = { now: () => Date.now() + 50 * 24 * 3_600_000 };
    const found = await findings(env, later);
    expect(found.map(({ id }) => id)).toEqual(["certificate-expiring", "clock-differs"]);
    expect(found[0]!.problem).toMatch(/expires in 9 days/);
    const week = await startProxy(days(7));
    expect(await findings({ ...env, ...addresses(`https://${NAME}:${week}`) })).toEqual([]);
  });
});

describe("the running service", () => {
  const fake = (health: object, ready: [number, object] = [200, { store: "ok" }]) =>
    listen(
      createServer((incoming, response) => {
        const [status, body] = incoming.url === "/healthz" ? [200, health] : ready;
        response.writeHead(status as number).end(JSON.stringify(body));
      }),
    );
  const at = (local: number) => ({ ...stored, PORT: String(local) });

  it("another program on the port is found: port-taken", async () => {
    await expectFinding(at(await fake({ hello: "world" })), "port-taken", /another program than Plugboard listens/);
    const silent = createNetServer((socket) => void socket.end("220 mail.test ESMTP\r\n"));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    await expectFinding(
      at((silent.address() as AddressInfo).port),
      "port-taken",
      /another program than Plugboard listens/,
    );
    silent.close();
  });

  it("a service of another version is found: version-differs", async () => {
    await expectFinding(at(await fake({ status: "ok", version: "0.0.1" })), "version-differs", /has version 0\.0\.1/);
  });

  it("a service that is not ready is found: service-not-ready", async () => {
    const unready = await fake({ status: "ok", version: VERSION }, [503, { store: "unavailable", coordination: "ok" }]);
    await expectFinding(at(unready), "service-not-ready", /not ready: database unavailable, Redis ok/);
  });
});

it("the check of forwarded headers answers only those who have the key", async () => {
  for (const query of ["", "?nonce=a", "?nonce=a&signature=b", `?nonce=a&signature=${"A".repeat(43)}`])
    expect((await fetch(`http://127.0.0.1:${port}/auth/forwarding-check${query}`)).status).toBe(404);
});
