// The event log over the Platform API, and the events of connections.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createPlatform, createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerJson, type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

describe("events", () => {
  let service: TestService;
  let upstream: Upstream;
  let connected: Connected & { integration: string };
  let platform: StrictPlatform;
  beforeAll(async () => {
    upstream = await startUpstream();
    service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  });
  afterAll(async () => {
    await service?.close();
    await upstream?.close();
  });
  beforeEach(async () => {
    connected = await connectTo(service, upstream.url);
    platform = createStrictPlatform(service, connected.key);
  });

  const list = (query = "") => platform("GET", `/events${query}`);
  const types = async (query = "") => (await list(query)).data.map(({ type }: { type: string }) => type);
  const path = () => `/connections/${connected.connection}`;

  it("events report a connection from its creation to its deletion, as the Platform API shows it", async () => {
    const created = await platform("GET", path());
    const changed = await platform("PATCH", path(), { external_id: "user_1", metadata: { plan: "pro" } });
    await platform("DELETE", path());
    await expect.poll(() => types()).toEqual(["connection.created", "connection.updated", "connection.deleted"]);
    const { data } = await list();
    expect(data.map((event: { data: object }) => event.data)).toEqual([created, changed, changed]);
    for (const event of data) {
      expect(event.id).toMatch(/^evt_\w{24}$/);
      expect(event.connection_id).toBe(connected.connection);
      expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp);
    }
    expect(JSON.stringify(data)).not.toContain(connected.token);
  });

  it("events can be read backwards, newest first, until a page is empty", async () => {
    for (const external_id of ["a", "b", "c"]) await platform("PATCH", path(), { external_id });
    await expect.poll(() => types()).toHaveLength(4);
    const found: string[] = [];
    for (let before = "latest", pages = 0; pages < 5; pages++) {
      const { data, next } = await list(`?before=${before}&limit=2`);
      if (data.length === 0) break;
      found.push(...data.map((event: { data: { external_id: string } }) => event.data.external_id));
      before = next;
    }
    expect(found.slice(0, 3)).toEqual(["c", "b", "a"]);
    expect(found).toHaveLength(4);
    const both = await createPlatform(service, connected.key)("GET", "/v1/events?before=latest&after=latest");
    expect([both.status, both.body.errors]).toEqual([400, { before: ["Cannot be combined with after"] }]);
  });

  it("a reader can wait for the next event, and is not logged", async () => {
    await expect.poll(() => types()).toHaveLength(1);
    const { next } = await list("?after=latest");
    const logged = async () => {
      await service.parts.requestLog.flush();
      return (await platform("GET", "/logs?path=/v1/events&limit=100")).length;
    };
    await expect.poll(logged).toBeGreaterThan(1);
    const before = await logged();
    const waiting = list(`?after=${next}&wait=30&type=connection.updated`);
    const elsewhere = list(`?after=latest&wait=30&connection_id=${connected.connection}`);
    await platform("PATCH", path(), { external_id: "awaited" });
    for (const { data } of await Promise.all([waiting, elsewhere]))
      expect(data).toMatchObject([{ type: "connection.updated", data: { external_id: "awaited" } }]);
    expect(await list("?after=latest&wait=1")).toMatchObject({ data: [] });
    expect(await logged()).toBe(before);
    const call = createPlatform(service, connected.key);
    for (const [query, fields] of [
      ["wait=31", ["wait"]],
      ["wait=soon", ["wait"]],
      ["before=latest&wait=5", ["wait"]],
    ] as const)
      expect(Object.keys((await call("GET", `/v1/events?${query}`)).body.errors)).toEqual(fields);
  });

  it("a reader that waits does not delay the end of the service", async () => {
    const stopping = await startService();
    const call = createStrictPlatform(stopping, stopping.apiKey);
    const read = vi.spyOn(stopping.store.events, "list");
    const waiting = call("GET", "/events?after=latest&wait=30");
    // It has found that nothing is behind the end of the log.
    await expect.poll(() => read.mock.results.length).toBeGreaterThan(0);
    await read.mock.results[0]!.value;
    await stopping.close();
    expect(await waiting).toMatchObject({ data: [] });
  });

  it("events report that credentials were refused and the account was connected again, and no calls in between", async () => {
    const call = () => fetch(`${service.url}/unified/v1/git/repos`, { headers: connected.headers });
    upstream.answer((_, response) => response.writeHead(401).end("{}"));
    for (let calls = 0; calls < 4; calls++) await call();
    await expect.poll(() => types()).toEqual(["connection.created", "connection.invalid"]);
    upstream.answer(answerJson("[]"));
    expect((await call()).status).toBe(404);
    const { connection } = connected;
    await service.store.connections.updateIfUnchanged(connection, {}, { is_valid: true, invalid_reason: null });
    await service.parts.coordination.invalidate("connection", connection);
    expect((await call()).status).toBe(200);
    await expect.poll(() => types()).toEqual(["connection.created", "connection.invalid", "connection.recovered"]);
    const [, invalid, recovered] = (await list()).data;
    expect(invalid.data).toMatchObject({ is_valid: false, invalid_reason: expect.stringContaining("refused") });
    expect(recovered.data).toMatchObject({ is_valid: true, invalid_reason: null });
  });

  it("events are read page by page with an opaque cursor that never ends", async () => {
    for (let number = 0; number < 5; number++) await platform("PATCH", path(), { external_id: `user_${number}` });
    await expect.poll(async () => (await types()).length).toBe(6);
    const read: (string | null)[] = [];
    let after = "";
    for (let pages = 0; pages < 3; pages++) {
      const page = await list(`?limit=2${after && `&after=${after}`}`);
      read.push(...page.data.map((event: { data: { external_id: string | null } }) => event.data.external_id));
      after = page.next;
    }
    expect(read).toEqual([null, "user_0", "user_1", "user_2", "user_3", "user_4"]);
    expect(await list(`?after=${after}`)).toEqual({ data: [], next: after });
    await platform("PATCH", path(), { external_id: "last" });
    await expect.poll(async () => (await list(`?after=${after}`)).data.length).toBe(1);
  });

  it("events are read from now on with after=latest", async () => {
    await expect.poll(() => types()).toEqual(["connection.created"]);
    const { data, next } = await list("?after=latest");
    expect(data).toEqual([]);
    await platform("DELETE", path());
    await expect.poll(() => types(`?after=${next}`)).toEqual(["connection.deleted"]);
  });

  it("events are filtered by type, by prefixes of types, and by connection", async () => {
    const body = { integration_id: connected.integration, auth_token: "made-up" };
    const { id: other } = await platform("POST", "/connections", body);
    await platform("DELETE", path());
    await expect.poll(async () => (await types()).length).toBe(3);
    expect(await types("?type=connection.deleted,connection.invalid")).toEqual(["connection.deleted"]);
    expect(await types("?type=connection.*")).toHaveLength(3);
    expect(await types("?type=tasks.*,webhook.test")).toEqual([]);
    expect(await types(`?connection_id=${other}`)).toEqual(["connection.created"]);
    const { next } = await list("?type=tasks.*");
    expect(await list(`?after=${next}`)).toEqual({ data: [], next });
  });

  it("a workspace reads only its own events", async () => {
    await expect.poll(() => types()).toEqual(["connection.created"]);
    const stranger = createStrictPlatform(service, await service.createWorkspace(`stranger-${connected.connection}`));
    expect((await stranger("GET", "/events")).data).toEqual([]);
    const { next } = await list();
    expect((await stranger("GET", `/events?after=${next}`)).data).toEqual([]);
  });

  it.each([
    ["?after=nonsense", "after", /next/],
    ["?after=ZXZlbnRzIC0x", "after", /next/],
    ["?limit=0", "limit", /1 to 100/],
    [
      "?type=tasks.nothing.created,task.task.created",
      "type",
      /Unknown event types: tasks.nothing.created, task.task.created \(did you mean tasks.task.created\?\). Valid: .*Prefixes: connection, .*calendar/,
    ],
    ["?type=", "type", /1 to/],
  ])("%s is a 400 that names the field", async (query, field, message) => {
    const answer = await createPlatform(service, connected.key)("GET", `/v1/events${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[field]).toEqual([expect.stringMatching(message)]);
  });
});
