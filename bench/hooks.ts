// npm run bench:hooks: how long a change at each emulated provider takes to arrive as an event, by the provider's webhook,
// with subscriptions that are read every hour.
import { setTimeout as wait } from "node:timers/promises";
import { subscriptionClient } from "../test/events/support/subscriptions.ts";
import { hookedProviders, hooksClient } from "../test/hooks/hooks-client.ts";
import { startService } from "../test/support/service.ts";
import { median } from "./median.ts";
import { table } from "./tables.ts";

/** A subscription that has just run waits so long after a hint. */
const BETWEEN_RUNS_MS = 5_000;
const TIMES = 5;

const service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
const client = subscriptionClient(service);
const hooked = hooksClient(service, client);

interface RecordEvent {
  type: string;
  data: { subscription_id: string; record: { id?: string; name?: string; sha?: string } };
}

interface Subscribed {
  provider: string;
  name: string;
  list: string;
  parameters: object;
  id: string;
  times: number[];
}

async function subscribe(): Promise<Subscribed[]> {
  const all: Subscribed[] = [];
  for (const [name, manifest] of hookedProviders()) {
    const { covered } = await hooked.prepare(manifest);
    const { list, parameters } = covered[0]!;
    const { id } = await client.subscribe(manifest.id, list, { parameters });
    all.push({ provider: manifest.id, name, list, parameters, id, times: [] });
  }
  for (const { id } of all) while (!(await client.get(id)).last_run?.finished_at) await wait(100);
  return all;
}

async function measure({ provider, list, parameters, id }: Subscribed): Promise<number> {
  let { next } = await client.platform("GET", "/events?after=latest");
  const begin = performance.now();
  const expected = await hooked.change(provider, { list, parameters });
  for (;;) {
    const page = await client.platform("GET", `/events?after=${next}&wait=30`);
    next = page.next;
    const isTold = (page.data as RecordEvent[]).some(
      ({ type, data: { subscription_id, record } }) =>
        subscription_id === id && `${type} ${record.id ?? record.name ?? record.sha}`.endsWith(expected),
    );
    if (isTold) return performance.now() - begin;
    if (performance.now() - begin > 60_000) throw new Error(`${provider}: no event`);
  }
}

try {
  const subscribed = await subscribe();
  for (let time = 0; time < TIMES; time++) {
    await wait(BETWEEN_RUNS_MS);
    for (const one of subscribed) one.times.push(await measure(one));
  }
  const milliseconds = (value: number) => value.toFixed(0);
  const rows = subscribed.map(({ name, list, times }) => [
    name,
    list,
    milliseconds(median(times)),
    milliseconds(Math.max(...times)),
  ]);
  console.log(table([["provider", "list", `median of ${TIMES}, ms`, "slowest, ms"], ...rows]));
} finally {
  await service.close();
}
