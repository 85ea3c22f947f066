// How telemetry is sent, and what happens if it is not accepted.

import { readFileSync } from "node:fs";
import type { ServerOptions } from "node:https";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { contentsOf, createAuthority } from "../support/certificates.ts";
import { attributesOf, startCollector } from "../support/collector.ts";
import { startService } from "../support/service.ts";

const collectors: Awaited<ReturnType<typeof startCollector>>[] = [];
afterEach(async () => {
  for (const { problems, close } of collectors.splice(0)) {
    await close();
    expect(problems).toEqual([]);
  }
});

async function start(env: Record<string, string> = {}, tls?: ServerOptions) {
  const collector = await startCollector(tls);
  collectors.push(collector);
  const service = await startService({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "10",
      OTEL_BLRP_SCHEDULE_DELAY: "10",
      ...env,
    },
  });
  let isClosed = false;
  async function close() {
    if (!isClosed) await service.close();
    isClosed = true;
  }
  onTestFinished(close);
  const call = (headers: Record<string, string> = {}) =>
    fetch(`${service.url}/unified/v1/git/repos?limit=1`, {
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.github!,
        ...headers,
      },
    });
  return { collector, service, call, close };
}

it("metrics are those of /metrics, with the same names and values, and are sent when the service stops", async () => {
  const { collector, service, call, close } = await start();
  for (let calls = 0; calls < 3; calls++) expect((await call()).status).toBe(200);
  const page = await (await fetch(`${service.url}/metrics`)).text();
  await close();
  const exported = Object.fromEntries(collector.metrics().map((metric) => [metric.name, metric]));
  const names = [...page.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => ({ name: name!, type }));
  // These have no value if nothing was measured since they were last read.
  const hasValue = ({ name }: { name: string }) =>
    !/eventloop_lag_(mean|stddev)/.test(name) && new RegExp(`^${name}(_bucket)?[ {]`, "m").test(page);
  const withValues = names.filter(hasValue);
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(withValues.map(({ name }) => name)));
  for (const { name, type } of withValues)
    expect([name, Object.keys(exported[name]).find((key) => ["gauge", "sum", "histogram"].includes(key))]).toEqual([
      name,
      type === "counter" ? "sum" : type,
    ]);
  const { sum } = exported.plugboard_requests_total;
  expect(sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
  const unified = sum.dataPoints.find((point: any) => attributesOf(point).surface === "unified");
  expect([attributesOf(unified), unified.asDouble]).toEqual([{ surface: "unified", method: "GET", status: "200" }, 3]);
  const [times] = exported.plugboard_request_duration_seconds.histogram.dataPoints.filter(
    (point: any) => attributesOf(point).surface === "unified",
  );
  expect(times.count).toBe("3");
  expect(times.bucketCounts.reduce((total: number, count: string) => total + Number(count), 0)).toBe(3);
  expect(times.bucketCounts).toHaveLength(times.explicitBounds.length + 1);
  expect(exported.plugboard_request_duration_seconds.unit).toBe("s");
});

it("lines of the log are sent with their severity, and belong to the span of their request", async () => {
  const { collector, call, close } = await start({ LOG_LEVEL: "debug" });
  await call({ "x-request-id": "my-request" });
  await close();
  const completed = collector
    .logs()
    .find(
      (record) => attributesOf(record).request_id === "my-request" && record.body.stringValue === "request completed",
    );
  const span = collector.spans().find((one) => attributesOf(one)["plugboard.request_id"] === "my-request");
  expect(completed).toMatchObject({
    severityNumber: 5,
    severityText: "debug",
    traceId: span.traceId,
    spanId: span.spanId,
  });
  expect(attributesOf(completed)).toMatchObject({ surface: "unified", status: "200" });
});

it("as JSON, compressed, with headers, a name and attributes of the resource, and to addresses of their own", async () => {
  const logs = await startCollector();
  collectors.push(logs);
  const { collector, call, close } = await start({
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20made-up,x-tenant=acme",
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${logs.url}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_HEADERS: "x-tenant=logs",
    OTEL_SERVICE_NAME: "gateway",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=ignored,owner=A%20team",
    OTEL_METRICS_EXPORTER: "none",
    LOG_LEVEL: "debug",
  });
  await call();
  await close();
  expect(new Set(collector.received.map(({ path }) => path))).toEqual(new Set(["/v1/traces"]));
  const [{ headers, body }] = collector.received as [any];
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "content-encoding": "gzip",
    authorization: "Bearer made-up",
    "x-tenant": "acme",
  });
  expect(attributesOf(body.resourceSpans[0].resource)).toMatchObject({
    "service.name": "gateway",
    "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "deployment.environment.name": "test",
    owner: "A team",
    "telemetry.sdk.language": "nodejs",
  });
  expect(logs.received.map(({ headers, path }) => [headers["x-tenant"], headers["content-type"], path])).toContainEqual(
    ["logs", "application/x-protobuf", "/v1/logs"],
  );
});

it("to a collector with a certificate of its own authority, which asks for one of the client", async () => {
  const authority = createAuthority();
  onTestFinished(authority.remove);
  const client = authority.issue("DNS:client");
  const tls = { ...contentsOf(authority.issue("IP:127.0.0.1")), ca: readFileSync(authority.ca), requestCert: true };
  const known = {
    OTEL_EXPORTER_OTLP_CERTIFICATE: authority.ca,
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
  };
  const { collector, call } = await start(
    {
      ...known,
      OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: client.cert,
      OTEL_EXPORTER_OTLP_CLIENT_KEY: client.key,
    },
    tls,
  );
  await call();
  await expect.poll(() => collector.spans().length).toBeGreaterThan(0);

  for (const missing of [known, { ...known, OTEL_EXPORTER_OTLP_CERTIFICATE: "" }]) {
    const refused = await start({ ...missing, OTEL_EXPORTER_OTLP_TIMEOUT: "500" }, tls);
    await refused.call();
    const metrics = async () => (await fetch(`${refused.service.url}/metrics`)).text();
    await expect.poll(metrics).toMatch(/^plugboard_telemetry_dropped_total{signal="traces"} [1-9]/m);
    expect(refused.collector.received).toEqual([]);
  }
});

it("a collector that is overloaded is asked again, and one that refuses is not", async () => {
  const { collector, service, call } = await start({ OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" });
  let asked = 0;
  collector.answer((_, response) => {
    asked++;
    if (asked > 1) collector.answer(undefined);
    response.writeHead(503, { "retry-after": "0" }).end();
  });
  await call();
  await expect.poll(() => collector.spans().length).toBeGreaterThan(0);
  expect(asked).toBe(2);
  asked = 0;
  collector.answer((_, response) => {
    asked++;
    response.writeHead(400).end();
  });
  await call();
  await expect.poll(() => service.logs()).toContain("telemetry cannot be sent");
  await call();
  await expect.poll(() => asked).toBeGreaterThan(1);
  expect(service.logs().match(/telemetry cannot be sent/g)).toHaveLength(1);
  expect(service.logs()).toContain("the collector answered 400");
  const page = await (await fetch(`${service.url}/metrics`)).text();
  expect(Number(/^plugboard_telemetry_dropped_total\{signal="traces"\} (\d+)/m.exec(page)![1])).toBeGreaterThan(0);
  collector.answer(undefined);
  await call();
  await expect.poll(() => service.logs()).toContain("telemetry is accepted again");
});

it("records that a collector refuses while it accepts the others are counted as dropped", async () => {
  const { collector, service, call } = await start({ OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" });
  // partial_success with rejected_spans = 300 and an error message.
  const answer = Buffer.from([0x0a, 0x08, 0x08, 0xac, 0x02, 0x12, 0x03, 0x62, 0x61, 0x64]);
  collector.answer((_, response) => response.end(answer));
  await call();
  const dropped = async () =>
    /^plugboard_telemetry_dropped_total\{signal="traces"\} (\d+)/m.exec(
      await (await fetch(`${service.url}/metrics`)).text(),
    )?.[1];
  await expect.poll(dropped).toBe("300");
});

it("calls are served while no collector is there, and the service stops as fast as without one", async () => {
  const { collector, service, call, close } = await start({ OTEL_EXPORTER_OTLP_TIMEOUT: "100" });
  await collector.close();
  collectors.length = 0;
  expect((await call()).status).toBe(200);
  await expect.poll(() => service.logs()).toContain('"reason":"ECONNREFUSED"');
  await close();
});
