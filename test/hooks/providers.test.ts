// At every provider that has webhooks: a change arrives as an event by the webhook, long before the interval is over, and
// without webhooks each change arrives once by a run.
import { afterAll, beforeAll, it, vi } from "vitest";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { startService, type TestService } from "../support/service.ts";
import { hookedProviders, hooksClient } from "./hooks-client.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
let hooked: ReturnType<typeof hooksClient>;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", UPSTREAM_TIMEOUT_MS: "60000" } });
  client = subscriptionClient(service);
  hooked = hooksClient(service, client);
});
afterAll(() => service?.close());

// They mostly wait: a subscription that has just run waits 5 seconds after a hint. All of them at once would read so many
// lists that on a busy machine a provider does not answer in time.
vi.setConfig({ maxConcurrency: 8, testTimeout: 240_000 });
const patiently = { timeout: 60_000, interval: 400 };

it.concurrent.for(hookedProviders())("%s announces changes by a webhook", async ([, manifest], { expect }) => {
  const { id } = manifest;
  const { hooks, covered } = await hooked.prepare(manifest);
  expect(covered.length).toBeGreaterThan(0);
  const subscriptions = await Promise.all(
    covered.map(async ({ list, parameters }) => {
      const { id: subscriptionId } = await client.subscribe(id, list, { parameters });
      await client.finished(subscriptionId);
      return { list, parameters, id: subscriptionId };
    }),
  );
  const states = () =>
    Promise.all(
      subscriptions.map(async ({ id }) => {
        const { trigger, trigger_reason } = await client.get(id);
        return trigger_reason ?? trigger;
      }),
    );
  const expected = hooks.per === "connection" ? "webhook" : "no webhook of the provider has arrived yet";
  await expect.poll(states, patiently).toEqual(subscriptions.map(() => expected));

  const isTold = async (subscriptionId: string, event: string) =>
    (await client.toldBy(subscriptionId)).some((one) => one.endsWith(event));

  const events: string[] = [];
  for (const subscription of subscriptions) events.push(await hooked.change(id, subscription));
  for (const [index, subscription] of subscriptions.entries()) {
    const event = events[index]!;
    await expect
      .poll(() => isTold(subscription.id, event), { ...patiently, message: `${subscription.list} ${event}` })
      .toBe(true);
    // A run that was under way may have found it before the hint came.
    const state = async () => {
      const { trigger, last_hint_at } = await client.get(subscription.id);
      return [trigger, typeof last_hint_at];
    };
    await expect.poll(state, patiently).toEqual(["webhook", "string"]);
  }

  await hooked.control({ provider: id, send: false });
  const [{ id: first, list, parameters }] = subscriptions as [(typeof subscriptions)[number]];
  await client.expectEachChange(first, { provider: id, list, parameters });

  for (const subscription of subscriptions) await client.platform("DELETE", `/subscriptions/${subscription.id}`);
  await expect.poll(() => service.store.hooks.ofConnection(service.connections[id]!), patiently).toEqual([]);
});
