import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const HOUR = 3_600_000;

describe("GET /v1/usage and filters of GET /v1/logs", () => {
  let service: TestService;
  let call: Platform;
  let stranger: Platform;

  beforeAll(async () => {
    service = await startService();
    call = createPlatform(service, service.apiKey);
    stranger = createPlatform(service, await service.createWorkspace("theirs"));
  });
  afterAll(async () => {
    await service?.close();
  });

  const unified = (provider: string, path: string) =>
    fetch(`${service.url}/unified${path}`, {
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections[provider]!,
      },
    }).then((response) => response.text());
  const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

  it("requests are counted with their errors, by workspace, surface and connection", async () => {
    await unified("github", "/v1/git/repos?limit=1");
    await unified("github", "/v1/git/repos?limit=0");
    await unified("slack", "/v1/chat/channels?limit=1");
    await expect
      .poll(async () => {
        await service.parts.requestLog.flush();
        return (await call("GET", "/v1/usage")).body.total.surfaces.unified?.requests;
      })
      .toBe(3);

    const { body } = await call("GET", "/v1/usage");
    expect(body).toMatchObject({ bucket_seconds: 3600, total: { surfaces: { unified: { application_errors: 1 } } } });
    // A day that does not begin with the hour touches 25 of them.
    expect([24, 25]).toContain(body.buckets.length);
    expect(body.total.p95_ms).toBeGreaterThanOrEqual(body.total.p50_ms);
    const summed = body.buckets.reduce((sum: number, { requests }: any) => sum + requests, 0);
    expect(summed).toBe(body.total.requests);

    const minutes = (await call("GET", `/v1/usage?since=${ago(HOUR)}`)).body;
    expect(minutes.bucket_seconds).toBe(60);
    expect(minutes.total.surfaces.unified.requests).toBe(3);
    const own = (await call("GET", `/v1/usage?connection_id=${service.connections.github}`)).body;
    expect(own.total).toMatchObject({ requests: 2, application_errors: 1 });
    const before = (await call("GET", `/v1/usage?until=${ago(48 * HOUR)}&since=${ago(49 * HOUR)}`)).body;
    expect(before).toMatchObject({ bucket_seconds: 3600, total: { requests: 0, p50_ms: null } });

    expect((await stranger("GET", "/v1/usage")).body.total.surfaces.unified).toBeUndefined();
    const foreign = await stranger("GET", `/v1/usage?connection_id=${service.connections.github}`);
    expect(foreign.body.total.requests).toBe(0);
  });

  it("logs are found by each filter, and only by their own workspace", async () => {
    const find = async (query: string, caller = call) =>
      (await caller("GET", `/v1/logs?${query}`)).body.map(({ path, status }: any) => `${status} ${path}`);
    const { github, slack } = service.connections;
    expect(await find(`connection_id=${github}&status=4xx`)).toEqual(["400 /unified/v1/git/repos"]);
    expect(await find(`connection_id=${slack}`)).toEqual(["200 /unified/v1/chat/channels"]);
    expect(await find(`integration_id=${service.integrations.github}`)).toEqual(["200 /unified/v1/git/repos"]);
    expect(await find("surface=unified&outcome=invalid_input")).toEqual(["400 /unified/v1/git/repos"]);
    expect(await find("surface=unified&error_source=application")).toEqual(["400 /unified/v1/git/repos"]);
    expect(await find("operation=chat.listChannels")).toEqual(["200 /unified/v1/chat/channels"]);
    expect(await find("path=git/repos&status=2xx")).toEqual(["200 /unified/v1/git/repos"]);
    const external = (await call("GET", `/v1/connections/${slack}`)).body.external_id;
    await call("PATCH", `/v1/connections/${slack}`, { external_id: "only this one" });
    expect(await find("external_id=only this one&surface=unified")).toEqual(["200 /unified/v1/chat/channels"]);
    expect(await find("external_id=nobody")).toEqual([]);
    expect(await find("external_id=only this one", stranger)).toEqual([]);
    await call("PATCH", `/v1/connections/${slack}`, { external_id: external });
    await service.parts.requestLog.flush();
    expect(await find("surface=platform&limit=100")).toContain(`200 /platform/v1/connections/${slack}`);
    const own = await find("surface=platform&platform_reads=false&limit=100");
    expect(new Set(own)).toEqual(new Set([`200 /platform/v1/connections/${slack}`]));
    expect(own).toHaveLength(2);
    expect(await find(`surface=unified&until=${ago(HOUR)}`)).toEqual([]);
    expect(await find(`surface=unified&since=${ago(HOUR)}`)).toHaveLength(3);
    expect(await find(`connection_id=${github}`, stranger)).toEqual([]);
    const [entry] = (await call("GET", `/v1/logs?connection_id=${slack}`)).body;
    expect((await stranger("GET", `/v1/logs/${entry.id}`)).status).toBe(404);
    expect((await stranger("GET", `/v1/logs?request_id=${entry.request_id}`)).body).toEqual([]);
  });

  it("invalid parameters of usage and logs are refused by name", async () => {
    const refused: [string, string[]][] = [
      ["/v1/logs?status=6xx", ["status"]],
      ["/v1/logs?status=20", ["status"]],
      ["/v1/logs?error_source=both", ["error_source"]],
      ["/v1/logs?surface=&outcome=", ["surface", "outcome"]],
      ["/v1/logs?since=yesterday&until=2030-13-01", ["since", "until"]],
      ["/v1/logs?since=2030-01-01T25:00", ["since"]],
      ["/v1/logs?since=2030-02-31", ["since"]],
      ["/v1/usage?since=x", ["since"]],
      ["/v1/usage?since=2030-01-02&until=2030-01-01", ["since"]],
      ["/v1/usage?since=2030-01-01&until=2030-03-01", ["since"]],
      ["/v1/usage?connection_id=", ["connection_id"]],
    ];
    for (const [path, fields] of refused) {
      const answer = await call("GET", path);
      expect(answer.status, path).toBe(400);
      expect(Object.keys(answer.body.errors)).toEqual(fields);
    }
  });

  it("times may have an offset, a date alone, or no offset, which counts as UTC", async () => {
    const shown = async (since: string) =>
      (await call("GET", `/v1/usage?until=2020-01-02&since=${encodeURIComponent(since)}`)).body.since;
    expect(await shown("2020-01-01T12:00:00+02:00")).toBe("2020-01-01T10:00:00.000Z");
    expect(await shown("2020-01-01")).toBe("2020-01-01T00:00:00.000Z");
    expect(await shown("2020-01-01T12:30")).toBe("2020-01-01T12:00:00.000Z");
  });
});
