// Calls about subscriptions of the sandbox's workspace, and changes at emulated providers.
import { expect, vi } from "vitest";
import { recordEventType } from "../../../src/categories/event-types.ts";
import { operations } from "../../../src/categories/index.ts";
import { emulators } from "../../../src/providers/sandboxes.gen.ts";
import { createStrictPlatform } from "../../support/platform.ts";
import type { TestService } from "../../support/service.ts";

const TIMEOUT_MS = 60_000;
/** A subscription that is due so soon was started by something. */
const SOON_MS = 60_000;
const FULL_WALK = { full_walk_seconds: 0 };

/** Calls about subscriptions of the sandbox's workspace. */
export function subscriptionClient(service: TestService) {
  const platform = createStrictPlatform(service, service.apiKey);
  const client = {
    platform,

    /** Changes records at an emulated provider. */
    async change(
      provider: string,
      list: string,
      changes: { create?: number; update?: number; delete?: number; parameters?: object },
    ) {
      const response = await fetch(`${service.url}/sandbox/_changes`, {
        method: "POST",
        body: JSON.stringify({ provider, list, ...changes }),
      });
      const made: any = await response.json();
      if (response.status !== 201) throw new Error(`${provider} ${list}: ${JSON.stringify(made)}`);
      return made;
    },

    subscribe: (provider: string, operation: string, body: object = {}) =>
      platform("POST", "/subscriptions", {
        connection_id: service.connections[provider],
        operation,
        interval_seconds: 3600,
        ...body,
      }),

    get: (id: string) => platform("GET", `/subscriptions/${id}`),

    /** Waits until a run has finished later than the given one. */
    async finished(id: string, before = "") {
      // Not with `expect.poll`: tests that run at the same time cannot share it.
      return vi.waitFor(
        async () => {
          const subscription = await client.get(id);
          const { last_run, status, reason } = subscription;
          if (status === "failing") throw new Error(reason);
          if (!(last_run?.finished_at > before)) throw new Error(`${id} has not run`);
          return subscription;
        },
        { interval: 200, timeout: TIMEOUT_MS },
      );
    },

    /** Waits until it has run, also because of its webhook, and nothing starts it by itself any more. */
    settled: (id: string) =>
      vi.waitFor(
        async () => {
          const subscription = await client.finished(id);
          const { next_run, trigger_reason } = subscription;
          if (trigger_reason === "the webhook is being made" || Date.parse(next_run) < Date.now() + SOON_MS)
            throw new Error(`${id} runs again at ${next_run}: ${trigger_reason}`);
          return subscription;
        },
        { interval: 200, timeout: TIMEOUT_MS },
      ),

    async runNow(id: string) {
      const before = (await client.get(id)).last_run.finished_at;
      await platform("POST", `/subscriptions/${id}/run`);
      return client.finished(id, before);
    },

    /** Makes every run a full walk, whatever the provider can filter. */
    async readWhole(id: string) {
      const { id: workspaceId } = (await service.store.workspaces.byName("sandbox"))!;
      await service.store.subscriptions.update(workspaceId, id, FULL_WALK);
    },

    /** The events of each subscription. */
    async told(filter = ""): Promise<Map<string, string[]>> {
      const events = new Map<string, string[]>();
      for (let after = ""; ; ) {
        const page = await platform("GET", `/events?limit=100${filter}${after && `&after=${after}`}`);
        for (const { type, data } of page.data) {
          const { subscription_id: id, record } = data;
          if (record) events.set(id, [...(events.get(id) ?? []), `${type} ${record.id ?? record.name ?? record.sha}`]);
        }
        if (page.data.length < 100) return events;
        after = page.next;
      }
    },
    /** Creates, updates and deletes records as far as the list allows. Each change is told, and nothing is told twice. */
    async expectEachChange(
      id: string,
      { provider, list, parameters }: { provider: string; list: string; parameters: object },
    ): Promise<void> {
      const { changes } = await emulators[provider]!.load();
      const { impossible } = changes![list]!;
      const possible = Object.entries({ create: 2, update: 1, delete: 1 }).filter(
        ([kind]) => !impossible[kind as keyof typeof impossible],
      );
      const made = await client.change(provider, list, { ...Object.fromEntries(possible), parameters });
      const type = recordEventType(operations.find((one) => one.id === list)!, "created").replace(/created$/, "");
      const expected = (["created", "updated", "deleted"] as const).flatMap((kind) =>
        (made[kind] ?? []).map((record: string) => `${type}${kind} ${record}`),
      );
      expect(expected.length).toBeGreaterThanOrEqual(possible.length);
      await client.readWhole(id);
      // Whatever is told again would be told by the second run. One that had begun before the changes may come first.
      for (let run = 0; run < 2; run++) await client.runNow(id);
      // What was changed before in another list of the same records may be told meanwhile.
      const isTold = async () => expect(await client.toldBy(id)).toEqual(expect.arrayContaining(expected));
      await vi.waitFor(isTold, { interval: 400, timeout: TIMEOUT_MS });
      const told = await client.toldBy(id);
      expect(told.filter((event, index) => told.indexOf(event) !== index)).toEqual([]);
    },
    async toldBy(id: string) {
      const { connection_id } = await client.get(id);
      return (await client.told(`&connection_id=${connection_id}`)).get(id)?.toSorted() ?? [];
    },
  };
  return client;
}
