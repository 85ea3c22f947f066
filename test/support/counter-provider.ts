// A made-up provider with a list of any length, whose records are computed and not stored.
import { category, list as defineList } from "../../src/categories/define.ts";
import { NullableTimestamp, Shape, Text } from "../../src/categories/schema.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { implement, list } from "../../src/provider-kit/implement.ts";
import { get } from "../../src/provider-kit/request.ts";
import type { Catalogue } from "../../src/service.ts";

const Entry = Shape("Entry", { id: Text(), text: Text(), updated_at: NullableTimestamp() });
const FIRST = Date.UTC(2026, 0, 1);

/** Entry `n` was updated `n` minutes after the first; every tenth does not say when. */
export const updatedAt = (index: number): string | null =>
  index % 10 === 9 ? null : new Date(FIRST + index * 60_000).toISOString();

export const entries = category(
  "entries",
  "Entries",
  {},
  { listEntries: defineList("/entries", Entry, "List entries") },
);

interface CounterPage {
  entries: { id: number; updated: string | null }[];
  next: number | null;
}

/** `filters`: the provider can filter by time itself. */
export function counterCatalogue(count: number, { filters = false } = {}): Required<Catalogue> {
  const manifest: Manifest = {
    id: "counter",
    name: "Counter",
    docs: "https://counter.example/docs",
    addresses: { api: "https://counter.example" },
    auth: { api_key: { label: "Key", help: "https://counter.example/keys" } },
    check: get("/me"),
  };
  const implemented = implement(entries, {
    listEntries: list({
      maxPageSize: 100,
      ...(filters ? { filters: ["updated_since"] } : {}),
      items: (body: CounterPage) => body.entries,
      next: ({ body }) => body.next,
      request: ({ input, limit, cursor }) =>
        get("/entries", filters ? { since: input.updated_since } : {}, { limit, start: cursor }),
      record: ({ id, updated }) => ({ id: String(id), text: `entry ${id} `.repeat(10), updated_at: updated }),
    }),
  });
  const emulator = emulate<null>({
    state: () => null,
    failure: (status) => reply(status, { problem: status }),
    routes: {
      "GET /me": () => reply(200, {}),
      "GET /entries": ({ query }) => {
        const start = Number(query.get("start") ?? 0);
        const limit = Number(query.get("limit"));
        const since = query.get("since");
        const found: CounterPage["entries"] = [];
        let index = start;
        for (; index < count && found.length < limit; index++) {
          const updated = updatedAt(index);
          if (since === null || updated === null || updated >= since) found.push({ id: index, updated });
        }
        return reply(200, { entries: found, next: index < count ? index : null });
      },
    },
  });
  return {
    categories: [entries],
    providers: [{ manifest, categories: [implemented] }],
    emulators: { counter: emulator },
  };
}
