// Deliveries beside slow and dead receivers, and across a kill.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AnyDatabase, describeDatabases } from "../support/databases.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startPlugboard } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo } from "../support/upstream.ts";
import { createWorkspaces } from "../support/workspace.ts";
import { startReceiver, status } from "./support/receiver.ts";

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");

const addWebhook = (platform: StrictPlatform, url: string) =>
  platform("POST", "/webhooks", { name: url, url, events: { "connection.updated": true } });

await describeDatabases("deliveries", (database) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { ...database.env, ALLOW_PRIVATE_UPSTREAMS: "true", ENCRYPTION_KEY } });
  });
  afterAll(() => service?.close());

  it("a slow and a dead receiver do not delay others", async () => {
    const { key, connection } = await connectTo(service, "http://127.0.0.1:9");
    const platform = createStrictPlatform(service, key);
    const [healthy, hanging] = [await startReceiver(), await startReceiver(() => {})];
    const dead = await startReceiver();
    await dead.close();
    for (const { url } of [hanging, dead, healthy]) await addWebhook(platform, url);
    for (let number = 0; number < 30; number++)
      await platform("PATCH", `/connections/${connection}`, { external_id: `user_${number}` });
    await expect.poll(() => healthy.received.length).toBe(30);
    expect(hanging.received.length).toBeGreaterThan(0);
    const [, { id }] = await platform("GET", "/webhooks");
    await expect
      .poll(async () => (await platform("GET", `/webhooks/${id}/deliveries`))[29]?.attempts[0]?.error)
      .toBe("no connection: ECONNREFUSED");
    await Promise.all([healthy.close(), hanging.close()]);
  });
});

await describeDatabases("a process that is killed", (database) => {
  it("what a killed process has sent without storing the result is sent again by the next one, with the same id", async () => {
    const env = {
      ...database.env,
      ALLOW_PRIVATE_UPSTREAMS: "true",
      SANDBOX: "off",
      ENCRYPTION_KEY,
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
