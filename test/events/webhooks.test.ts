// Webhooks over the Platform API: what receivers get, and how they are managed.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testSqlite } from "../support/databases.ts";
import { createPlatform, createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo } from "../support/upstream.ts";
import { type Received, type Receiver, startReceiver, status } from "./support/receiver.ts";

const database = testSqlite();

/** With the official package, which throws unless a signature is valid. */
const verify = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; timestamp: string; data: any };

describe("webhooks", () => {
  let service: TestService;
  let receiver: Receiver;
  let key: string;
  let platform: StrictPlatform;
  let integration: string;
  let connection: string;
  beforeAll(async () => {
    service = await startService({ env: { ...database.env, ALLOW_PRIVATE_UPSTREAMS: "true" } });
  });
  afterAll(() => service?.close());
  beforeEach(async () => {
    receiver = await startReceiver();
    ({ key, integration, connection } = await connectTo(service, "http://127.0.0.1:9"));
    platform = createStrictPlatform(service, key);
    // The creation of the connection is in the log already, and no webhook gets it.
    await expect.poll(async () => (await platform("GET", "/events")).data.length).toBe(1);
    return () => receiver.close();
  });

  const add = (fields: object = {}) =>
    platform("POST", "/webhooks", { name: "All", url: `${receiver.url}/hook`, events: { "*": true }, ...fields });
  const change = (external_id: string) => platform("PATCH", `/connections/${connection}`, { external_id });
  const deliveries = (id: string, query = "") => platform("GET", `/webhooks/${id}/deliveries${query}`);
  const states = async (id: string) =>
    (await deliveries(id)).map((delivery: { state: string }) => delivery.state).toSorted();

  it("a webhook gets events signed by Standard Webhooks, and what it answered is recorded", async () => {
    receiver.answer(status(200, {}, "thanks ".repeat(1000)));
    const { id, secret, ...webhook } = await add();
    expect(id).toMatch(/^wh_\w{24}$/);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ name: "All", enabled: true, disabled_reason: null, failing_since: null });
    const changed = await change("user_1");
    await expect.poll(() => receiver.received.length).toBe(1);
    const [received] = receiver.received;
    const [event] = (await platform("GET", "/events?type=connection.updated")).data;
    expect(verify(received!, secret)).toEqual({
      type: "connection.updated",
      timestamp: event.timestamp,
      data: changed,
    });
    expect(received!.path).toBe("/hook");
    expect(received!.headers).toMatchObject({ "webhook-id": event.id, "content-type": "application/json" });
    expect(() => verify({ ...received!, body: received!.body.replace("user_1", "user_2") }, secret)).toThrow();
    expect(() => verify(received!, `whsec_${Buffer.alloc(32).toString("base64")}`)).toThrow();

    await expect.poll(() => states(id)).toEqual(["delivered"]);
    const [delivery] = await deliveries(id);
    expect(delivery).toMatchObject({
      webhook_id: id,
      event_id: event.id,
      type: "connection.updated",
      next_attempt_at: null,
      attempts: [{ status: 200, error: null, answer: "thanks ".repeat(1000).slice(0, 2048) }],
    });
    expect(delivery.attempts[0].duration_ms).toBeGreaterThanOrEqual(0);
    expect(await platform("GET", `/deliveries/${delivery.id}`)).toEqual(delivery);
    const stored = await database.bytes();
    for (const text of [secret, receiver.url, "thanks"]) expect(stored).not.toContain(text);
    expect(service.logs()).not.toContain(secret);
  });

  it("a webhook gets the types that it asks for, of which the longest pattern counts, and nothing of other workspaces", async () => {
    const path = (name: string) => ({ url: `${receiver.url}/${name}` });
    await add({ ...path("exact"), events: { "connection.created": true } });
    await add({ ...path("prefix"), events: { "connection.*": true, "connection.created": false } });
    await add({ ...path("tasks"), events: { "tasks.*": true, "git.issue.updated": true } });
    await add({ ...path("off"), enabled: false });
    const other = await connectTo(service, "http://127.0.0.1:9");
    const stranger = createStrictPlatform(service, other.key);
    const theirs = { name: "Theirs", ...path("stranger"), events: { "connection.updated": true } };
    await stranger("POST", "/webhooks", theirs);
    await change("user_1");
    await platform("POST", "/connections", { integration_id: integration, auth_token: "made-up" });
    await change("last");
    await expect.poll(() => receiver.received.filter(({ path }) => path === "/prefix").length).toBe(2);
    await expect.poll(() => receiver.received.length).toBe(3);
    expect(receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).type}`).toSorted()).toEqual([
      "/exact connection.created",
      "/prefix connection.updated",
      "/prefix connection.updated",
    ]);
  });

  it("a webhook is changed, listed and deleted, and then gets nothing more", async () => {
    const { id, secret, ...created } = await add();
    const webhook = { id, ...created };
    expect(await platform("GET", `/webhooks/${id}`)).toEqual(webhook);
    expect(await platform("GET", "/webhooks")).toEqual([webhook]);
    expect(await platform("GET", `/webhooks/${id}/secret`)).toEqual({ secret });
    expect(await platform("PATCH", `/webhooks/${id}`, {})).toEqual(webhook);
    const changed = await platform("PATCH", `/webhooks/${id}`, {
      name: "Some",
      url: `${receiver.url}/other?token=made-up`,
      events: { "connection.deleted": true },
    });
    expect(changed).toMatchObject({ name: "Some", events: { "connection.deleted": true } });
    await platform("DELETE", `/connections/${connection}`);
    await expect.poll(() => receiver.received.map(({ path }) => path)).toEqual(["/other?token=made-up"]);
    expect(await platform("DELETE", `/webhooks/${id}`)).toEqual({ success: true });
    const call = createPlatform(service, key);
    for (const path of ["", "/secret", "/deliveries"])
      expect((await call("GET", `/v1/webhooks/${id}${path}`)).status).toBe(404);
    for (const path of ["/test", "/rotate-secret"])
      expect((await call("POST", `/v1/webhooks/${id}${path}`)).status).toBe(404);
    expect((await call("DELETE", `/v1/webhooks/${id}`)).status).toBe(404);
  });

  it("a webhook gets two signatures after a rotation, one with each secret", async () => {
    const { id, secret } = await add();
    const rotated = await platform("POST", `/webhooks/${id}/rotate-secret`);
    expect(rotated.secret).not.toBe(secret);
    const hours = (Date.parse(rotated.previous_secret_valid_until) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect(await platform("GET", `/webhooks/${id}/secret`)).toEqual({ secret: rotated.secret });
    await change("user_1");
    await expect.poll(() => receiver.received.length).toBe(1);
    const [received] = receiver.received;
    for (const valid of [secret, rotated.secret]) expect(verify(received!, valid).type).toBe("connection.updated");
    // Once the previous secret has expired, only the new one is left.
    await database.run("update webhooks set previous_secret_expires_at = 1 returning id");
    await change("user_2");
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(verify(receiver.received[1]!, rotated.secret).type).toBe("connection.updated");
    expect(() => verify(receiver.received[1]!, secret)).toThrow();
  });

  it("a test event goes to one webhook on request, and does not count as a subscribed type", async () => {
    await add({ url: `${receiver.url}/others` });
    const { id, secret } = await add({ events: { "tasks.*": true } });
    const delivery = await platform("POST", `/webhooks/${id}/test`);
    expect(delivery).toMatchObject({ webhook_id: id, type: "webhook.test", state: "pending", attempts: [] });
    await expect.poll(() => receiver.received.length).toBe(1);
    const [received] = receiver.received;
    expect(received!.path).toBe("/hook");
    expect(verify(received!, secret)).toMatchObject({ type: "webhook.test", data: { webhook_id: id } });
    await expect.poll(async () => (await platform("GET", `/deliveries/${delivery.id}`)).state).toBe("delivered");
    await expect.poll(async () => (await platform("GET", "/events?type=webhook.test")).data.length).toBe(1);
    await platform("PATCH", `/webhooks/${id}`, { enabled: false });
    const refused = await createPlatform(service, key)("POST", `/v1/webhooks/${id}/test`);
    expect([refused.status, refused.body.errors]).toEqual([400, { enabled: [expect.stringMatching(/turn it on/)] }]);
  });

  it("deliveries are sent again on request, with the same id, one by one and all that failed", async () => {
    const { id } = await add();
    for (let number = 0; number < 3; number++) await change(`user_${number}`);
    await expect.poll(() => states(id)).toEqual(["delivered", "delivered", "delivered"]);
    const [newest] = await deliveries(id);
    await platform("POST", `/deliveries/${newest.id}/resend`);
    await expect.poll(() => receiver.received.length).toBe(4);
    expect(receiver.received[3]!.headers["webhook-id"]).toBe(newest.event_id);
    await expect.poll(async () => (await platform("GET", `/deliveries/${newest.id}`)).attempts.length).toBe(2);

    const oldest = (await deliveries(id))[2].id;
    const tenSeconds = 10_000_000;
    await database.run(`update deliveries set state = 'failed' where webhook_id = '${id}' returning id`);
    await database.run(
      `update deliveries set created_at = created_at - ${tenSeconds} where id = '${oldest}' returning id`,
    );
    const since = new Date(Date.parse((await deliveries(id))[1].created_at) - 5_000).toISOString();
    const { count } = await platform("POST", `/webhooks/${id}/resend`, { since });
    expect(count).toBe(2);
    await expect.poll(() => states(id)).toEqual(["delivered", "delivered", "failed"]);
    expect(await deliveries(id, "?state=failed")).toHaveLength(1);
    expect(await platform("POST", `/webhooks/${id}/resend`, { since: new Date().toISOString() })).toEqual({ count: 0 });
  });

  it("the deliveries of a webhook are listed page by page, newest first", async () => {
    const { id } = await add();
    for (let number = 0; number < 5; number++) await change(`user_${number}`);
    await expect.poll(async () => (await deliveries(id)).length).toBe(5);
    const all = await deliveries(id);
    const first = await deliveries(id, "?limit=2");
    const rest = await deliveries(id, `?limit=10&after=${first[1].id}`);
    const ids = (list: { id: string }[]) => list.map((delivery) => delivery.id);
    expect(ids([...first, ...rest])).toEqual(ids(all));
    expect(all.map((delivery: { created_at: string }) => delivery.created_at)).toEqual(
      all
        .map((delivery: { created_at: string }) => delivery.created_at)
        .toSorted()
        .toReversed(),
    );
  });

  it("the webhooks of another workspace are out of reach", async () => {
    const { id } = await add();
    const { id: delivery } = await platform("POST", `/webhooks/${id}/test`);
    const stranger = createPlatform(service, await service.createWorkspace(`stranger-${id}`));
    const requests: [string, string, object?][] = [
      ["GET", `/v1/webhooks/${id}`],
      ["PATCH", `/v1/webhooks/${id}`, { name: "Mine" }],
      ["DELETE", `/v1/webhooks/${id}`],
      ["GET", `/v1/webhooks/${id}/secret`],
      ["POST", `/v1/webhooks/${id}/rotate-secret`],
      ["POST", `/v1/webhooks/${id}/test`],
      ["GET", `/v1/webhooks/${id}/deliveries`],
      ["POST", `/v1/webhooks/${id}/resend`, { since: "2020-01-01" }],
      ["GET", `/v1/deliveries/${delivery}`],
      ["POST", `/v1/deliveries/${delivery}/resend`],
    ];
    for (const [method, path, body] of requests)
      expect((await stranger(method, path, body)).status, `${method} ${path}`).toBe(404);
    expect((await stranger("GET", "/v1/webhooks")).body).toEqual([]);
    expect(await platform("GET", `/webhooks/${id}`)).toMatchObject({ name: "All" });
  });

  const valid = { name: "All", url: "https://example.com/hook", events: { "*": true } };
  it.each<[string, object, string, RegExp]>([
    ["no name", { ...valid, name: "" }, "name", /1 to 200/],
    ["no address", { ...valid, url: "nowhere" }, "url", /http or https/],
    ["another scheme", { ...valid, url: "ftp://example.com" }, "url", /http or https/],
    ["a password in the address", { ...valid, url: "https://me:secret@example.com" }, "url", /password/],
    ["a fragment", { ...valid, url: "https://example.com/#top" }, "url", /fragment/],
    [
      "an unknown type",
      { ...valid, events: { "tasks.nothing": true } },
      "events",
      /^Unknown event types: tasks.nothing. Valid: .{1,250}$/,
    ],
    [
      "a type that is not a pattern",
      { ...valid, events: { "tasks*": true } },
      "events",
      /Unknown event types: tasks\*/,
    ],
    ["no type", { ...valid, events: {} }, "events", /at least one/],
    ["only excluded types", { ...valid, events: { "*": false } }, "events", /at least one/],
    ["a list of types", { ...valid, events: ["*"] }, "events", /an object/],
    ["an unknown field", { ...valid, secret: "mine" }, "secret", /Unknown field/],
  ])("a webhook with %s is refused, and the field is named", async (_, body, field, message) => {
    const call = createPlatform(service, key);
    const created = await call("POST", "/v1/webhooks", body);
    expect([created.status, created.body.errors?.[field]]).toEqual([400, [expect.stringMatching(message)]]);
    const { id } = await add();
    const { [field]: wrong } = body as Record<string, unknown>;
    const changed = await call("PATCH", `/v1/webhooks/${id}`, { [field]: wrong });
    expect([changed.status, changed.body.errors?.[field]]).toEqual([400, [expect.stringMatching(message)]]);
    expect(await platform("GET", `/webhooks/${id}`)).toMatchObject({ name: "All", url: `${receiver.url}/hook` });
  });

  it("a workspace can have 100 webhooks, and those that it has beyond that keep working", async () => {
    const { id } = await add();
    const columns = "name, url, events, enabled, disabled_reason, failing_since, secret, created_at, updated_at";
    const copy = (first: number, last: number) =>
      database.run(
        `insert into webhooks (id, workspace_id, ${columns})
           with recursive copies(number) as (select ${first} union all select number + 1 from copies where number < ${last})
           select id || number, workspace_id, ${columns.replace("enabled", "0")} from webhooks, copies where id = '${id}'
           returning id`,
      );
    await copy(1, 98);
    const call = createPlatform(service, key);
    const body = { name: "More", url: `${receiver.url}/more`, events: { "*": true } };
    const both = await Promise.all([1, 2].map(() => call("POST", "/v1/webhooks", body)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 400]);
    const refused = both.find(({ status }) => status === 400)!.body;
    expect(refused.errors).toEqual({ body: [expect.stringMatching(/100 webhooks: delete one/)] });

    await copy(200, 202);
    await platform("PATCH", `/webhooks/${id}`, { name: "Still" });
    await change("user_1");
    await expect.poll(() => receiver.received.length).toBe(2);
  });

  it("other invalid input to webhooks is refused with what is expected", async () => {
    const { id } = await add();
    const call = createPlatform(service, key);
    const errors = async (method: string, path: string, body?: object) => {
      const answer = await call(method, `/v1/webhooks/${id}${path}`, body);
      expect(answer.status).toBe(400);
      return answer.body.errors;
    };
    for (const since of ["yesterday", "2026-02-31"])
      expect(await errors("POST", "/resend", { since })).toEqual({ since: [expect.stringMatching(/ISO/)] });
    expect(await errors("POST", "/resend", {})).toHaveProperty("since");
    expect(await errors("GET", "/deliveries?state=lost")).toEqual({ state: [expect.stringMatching(/one of pending/)] });
    expect(await errors("GET", "/deliveries?after=dlv_none")).toHaveProperty("after");
  });
});
