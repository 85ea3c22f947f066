// Deliveries beside slow and dead receivers, by several processes, and across a kill.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AnyDatabase, testDatabases } from "../support/databases.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startPlugboard } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo } from "../support/upstream.ts";
import { createWorkspaces } from "../support/workspace.ts";
import { startReceiver, status } from "./support/receiver.ts";

const databases = await testDatabases();
afterAll(() => Promise.all(databases.map((database) => database.drop())));

const addWebhook = (platform: StrictPlatform, url: string) =>
  platform("POST", "/webhooks", { name: url, url, events: { "connection.updated": true } });

describe.each(databases)("deliveries by two processes on $name", (database) => {
  let services: TestService[];
  beforeAll(async () => {
    const env = {
      ...database.env,
      ALLOW_PRIVATE_UPSTREAMS: "true",
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    services = [await startService({ env }), await startService({ env })];
  });
  afterAll(() => Promise.all(services.map((service) => service.close())));

  /** A workspace with one connection; `change` makes an event over one of the processes. */
  async function workspace() {
    const { key, connection } = await connectTo(services[0]!, "http://127.0.0.1:9");
    const [first, second] = services.map((service) => createStrictPlatform(service, key));
    const change = (number: number, over = first!) =>
      over("PATCH", `/connections/${connection}`, { external_id: `user_${number}` });
    return { first: first!, second: second!, change };
  }

  it("a slow and a dead receiver do not delay others", async () => {
    const { first, change } = await workspace();
    const [healthy, hanging] = [await startReceiver(), await startReceiver(() => {})];
    const dead = await startReceiver();
    await dead.close();
    for (const { url } of [hanging, dead, healthy]) await addWebhook(first, url);
    for (let number = 0; number < 30; number++) await change(number);
    await expect.poll(() => healthy.received.length).toBe(30);
    expect(hanging.received.length).toBeGreaterThan(0);
    const [, { id }] = await first("GET", "/webhooks");
    await expect
      .poll(async () => (await first("GET", `/webhooks/${id}/deliveries`))[29]?.attempts[0]?.error)
      .toBe("no connection: ECONNREFUSED");
    await Promise.all([healthy.close(), hanging.close()]);
  });

  it("both processes deliver, and each event goes to each webhook once", async () => {
    const { first, second, change } = await workspace();
    const receiver = await startReceiver();
    const webhooks = 20;
    for (let number = 0; number < webhooks; number++) await addWebhook(first, `${receiver.url}/${number}`);
    const delivered = (service: TestService) => attempts(service, "delivered");
    const before = await Promise.all(services.map(delivered));
    let changes = 0;
    await expect
      .poll(async () => {
        await Promise.all([change(++changes, first), change(++changes, second)]);
        const now = await Promise.all(services.map(delivered));
        return now.every((count, index) => count > before[index]!);
      })
      .toBe(true);
    await expect.poll(() => receiver.received.length).toBe(webhooks * changes);
    const received = receiver.received.map(({ path, headers }) => `${path} ${headers["webhook-id"]}`);
    expect(new Set(received).size).toBe(webhooks * changes);
    await receiver.close();
  });
});

async function attempts({ url }: TestService, outcome: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    new RegExp(`^plugboard_webhook_attempts_total\\{outcome="${outcome}"\\} (\\d+)`, "m").exec(text)?.[1] ?? 0,
  );
}

describe.each(databases)("a process that is killed on $name", (database) => {
  it("leaves what it has sent without noting it to the next one, which sends it with the same id", async () => {
    const env = {
      ...database.env,
      ALLOW_PRIVATE_UPSTREAMS: "true",
      SANDBOX: "off",
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
    const [key] = await createWorkspaces(env, `killed-${database.name}`);
    // Without an answer, the first process cannot note anything.
    const receiver = await startReceiver(() => {});
    const first = await startPlugboard(env);
    const { id } = await addWebhookOver(first.url, key!, receiver.url);
    const delivery = await createStrictPlatform(first, key!)("POST", `/webhooks/${id}/test`);
    await expect.poll(() => receiver.received.length).toBe(1);
    await first.stop("SIGKILL");
    receiver.answer(status(200));
    await expireLeases(database);
    const second = await startPlugboard(env);
    await expect.poll(() => receiver.received.length).toBe(2);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([delivery.event_id, delivery.event_id]);
    const platform = createStrictPlatform(second, key!);
    await expect
      .poll(() => platform("GET", `/deliveries/${delivery.id}`))
      .toMatchObject({ state: "delivered", attempts: [{ status: 200 }] });
    expect(await second.stop("SIGINT")).toBe(0);
    await receiver.close();
  });
});

const addWebhookOver = (url: string, key: string, target: string) =>
  addWebhook(createStrictPlatform({ url }, key), target);

/** As if the leases' time had passed. */
const expireLeases = (database: AnyDatabase) => database.run("update jobs set lease_expires_at = 0 returning id");
