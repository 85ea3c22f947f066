// What becomes of a webhook at the provider when nobody needs it any more.
import { afterAll, beforeAll, expect, it } from "vitest";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
beforeAll(async () => {
  service = await startService();
  client = subscriptionClient(service);
});
afterAll(() => service?.close());

const LIST = "git.listIssues";

/** The webhooks that were made and removed at GitHub, by the status of the answer. */
async function calls(): Promise<string[]> {
  const response = await fetch(`${service.url}/sandbox/_requests?provider=github`);
  const requests = (await response.json()) as { method: string; path: string; status: number }[];
  return requests
    .filter(({ path }) => path.includes("/hooks"))
    .map(({ method, status }) => `${method} ${status}`)
    .toReversed();
}

async function subscribed(): Promise<string> {
  const { parameters } = await client.change("github", LIST, {});
  const { id } = await client.subscribe("github", LIST, { parameters });
  await expect.poll(async () => (await client.get(id)).trigger, { timeout: 30_000 }).toBe("webhook");
  return id;
}

it("it is removed with the last subscription that it starts", async () => {
  const [first, second] = [await subscribed(), await subscribed()];
  expect((await calls()).filter((call) => call === "POST 201")).toHaveLength(1);
  await client.platform("DELETE", `/subscriptions/${first}`);
  expect((await client.get(second!)).trigger).toBe("webhook");
  expect(await calls()).not.toContain("DELETE 204");
  await client.platform("DELETE", `/subscriptions/${second}`);
  await expect.poll(calls, { timeout: 30_000 }).toContain("DELETE 204");
});

it("it is removed with the connection, before the token is revoked", async () => {
  await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
  await subscribed();
  await client.platform("DELETE", `/connections/${service.connections.github}`);
  expect(await calls()).toEqual(expect.arrayContaining(["POST 201", "DELETE 204"]));
  expect(await service.store.hooks.ofConnection(service.connections.github!)).toEqual([]);
});
