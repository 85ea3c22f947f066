// At every provider that has webhooks: a change arrives as an event by the webhook, long before the interval is over, and
// without webhooks by the interval.
import { afterAll, beforeAll, it, vi } from "vitest";
import type { Hooks, NoHooks } from "../../src/contracts/hooks.ts";
import { hooksOf } from "../../src/contracts/manifest.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { startService, type TestService } from "../support/service.ts";
import { givenParameters } from "./parameters.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = subscriptionClient(service);
});
afterAll(() => service?.close());

const control = async (body: object) => {
  const response = await fetch(`${service.url}/sandbox/_hooks`, { method: "POST", body: JSON.stringify(body) });
  if (response.status !== 201) throw new Error(await response.text());
};

const kindsOf = ({ hooks, hooksWith }: { hooks?: Hooks; hooksWith?: Partial<Record<string, Hooks>> }) =>
  [hooks, ...Object.values(hooksWith ?? {})].filter(
    (one): one is Exclude<Hooks, NoHooks> => !!one && one.per !== "none",
  );

const cases = providers
  .map(({ manifest }) => manifest)
  .filter((manifest) => kindsOf(manifest).length > 0)
  .map((manifest) => [manifest.name, manifest] as const);

// They mostly wait: a subscription that has just run waits 5 seconds after a hint.
vi.setConfig({ maxConcurrency: 40, testTimeout: 60_000 });

it.concurrent.for(cases)("%s announces changes by a webhook", async ([, manifest], { expect }) => {
  const { id } = manifest;
  const connection = await service.store.connections.load(service.connections[id]!);
  const integration = connection!.integration!;
  const hooks = hooksOf(manifest, integration.type) as Exclude<Hooks, NoHooks>;
  if (hooks.secret !== "hook") {
    const secret = hooks.secret === "client_secret" ? integration.client_secret! : "sandbox-hook-secret";
    const isBrought = hooks.handshake?.isSecret && hooks.per === "application";
    if (hooks.secret === "hook_secret" && !isBrought)
      await client.platform("PATCH", `/integrations/${integration.id}`, { hook_secret: secret });
    const { hook_url } = await client.platform("GET", `/integrations/${integration.id}`);
    if (hooks.per === "application") await control({ provider: id, url: hook_url, secret });
  }
  const lists = await Promise.all(
    Object.keys(hooks.lists).map(async (list) => {
      const { parameters } = await client.change(id, list, { parameters: givenParameters(id, list) });
      return { list, parameters, target: hooks.lists[list]!.target ? hooks.lists[list]!.target(parameters) : "" };
    }),
  );
  const covered = lists.filter(({ target }) => target !== undefined);
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
  await expect.poll(states, { timeout: 10_000 }).toEqual(subscriptions.map(() => expected));

  /** Changes a record of a list: the event that is expected. */
  async function change({ list, parameters }: (typeof subscriptions)[number]): Promise<string> {
    for (const kind of ["create", "update"] as const) {
      const made = await client.change(id, list, { [kind]: 1, parameters }).catch(() => undefined);
      if (made) return `${kind}d ${made[`${kind}d`][0]}`;
    }
    throw new Error(`${list} cannot change`);
  }
  const isTold = async (subscriptionId: string, event: string) =>
    (await client.toldBy(subscriptionId)).some((one) => one.endsWith(event));

  const events: string[] = [];
  for (const subscription of subscriptions) events.push(await change(subscription));
  for (const [index, subscription] of subscriptions.entries()) {
    const event = events[index]!;
    await expect
      .poll(() => isTold(subscription.id, event), { timeout: 15_000, message: `${subscription.list} ${event}` })
      .toBe(true);
    const { trigger, last_hint_at } = await client.get(subscription.id);
    expect([trigger, last_hint_at]).toEqual(["webhook", expect.any(String)]);
  }

  await control({ provider: id, send: false });
  const [first] = subscriptions;
  const event = await change(first!);
  await client.readWhole(first!.id);
  await client.runNow(first!.id);
  // A run that had begun before it may be the one that has finished.
  await expect.poll(() => isTold(first!.id, event), { timeout: 15_000 }).toBe(true);

  for (const subscription of subscriptions) await client.platform("DELETE", `/subscriptions/${subscription.id}`);
  await expect.poll(() => service.store.hooks.ofConnection(service.connections[id]!), { timeout: 10_000 }).toEqual([]);
});
