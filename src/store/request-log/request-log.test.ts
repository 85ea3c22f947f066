import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { appendEntries } from "../../../test/support/log-entries.ts";
import type { NewLogEntry } from "../../contracts/entities.ts";
import type { LogFilter } from "../../contracts/request-log.ts";
import type { Store } from "../../contracts/store.ts";

const START = Date.UTC(2030, 0, 1);
const iso = (offset: number) => new Date(START + offset).toISOString();

await describeDatabases("searching the request log", (database) => {
  let store: Store;

  beforeAll(async () => {
    store = await database.open();
  });

  const newWorkspace = () => `ws_${randomUUID()}`;
  const entry = (change: Partial<NewLogEntry>): NewLogEntry => ({
    workspace_id: "ws_none",
    connection_id: null,
    integration_id: null,
    request_id: "req_1",
    surface: "unified",
    method: "GET",
    path: "/v1/git/repos",
    status: 200,
    outcome: null,
    error_source: null,
    duration_ms: 12.5,
    upstream_calls: 0,
    upstream: [],
    operation: null,
    at: START,
    ...change,
  });
  const everything = { offset: 0, limit: 1000 };
  const found = async (workspaceId: string, filter: LogFilter, page = everything) =>
    (await store.requestLog.list(workspaceId, page, filter)).entries.map(({ request_id }) => request_id);

  it("every filter selects exactly the entries it names, alone and together with others", async () => {
    const workspace_id = newWorkspace();
    const entries = [
      entry({
        request_id: "a",
        connection_id: "conn_1",
        integration_id: "int_1",
        status: 200,
        operation: "git.listRepositories",
      }),
      entry({ request_id: "b", connection_id: "conn_2", integration_id: "int_1", status: 503, outcome: "overloaded" }),
      entry({
        request_id: "c",
        connection_id: "conn_1",
        integration_id: "int_1",
        status: 500,
        error_source: "provider",
      }),
      entry({ request_id: "d", surface: "proxy", status: 404, outcome: "conn_1", error_source: "plugboard" }),
      entry({ request_id: "conn_1", surface: "platform", status: 201, path: '/platform/v1/events"\\' }),
      entry({ request_id: 'odd "\n\u0000 %', surface: "auth", status: 302, operation: "tools/call search" }),
    ].map((each, index) => ({ ...each, workspace_id, at: START + index }));
    // One batch with all, and one per entry that another workspace must not see.
    await appendEntries(store, `log_${randomUUID()}`, entries);
    await appendEntries(
      store,
      `log_${randomUUID()}`,
      entries.map((each) => ({ ...each, workspace_id: newWorkspace() })),
    );

    const cases: [LogFilter, string[]][] = [
      [{ connection_id: "conn_1" }, ["c", "a"]],
      [{ integration_id: "int_1" }, ["c", "b", "a"]],
      [{ surface: "proxy" }, ["d"]],
      [{ status: "503" }, ["b"]],
      [{ status: "5xx" }, ["c", "b"]],
      [{ status: "2xx" }, ["conn_1", "a"]],
      [{ outcome: "overloaded" }, ["b"]],
      [{ error_source: "provider" }, ["c"]],
      [{ error_source: "any" }, ["d", "c"]],
      [{ error_source: "any", surface: "proxy" }, ["d"]],
      [{ request_id: "conn_1" }, ["conn_1"]],
      [{ request_id: 'odd "\n\u0000 %' }, ['odd "\n\u0000 %']],
      [{ connection_id: "conn_1", status: "5xx" }, ["c"]],
      [{ connection_id: "conn_1", status: "503" }, []],
      [{ connection_id: "conn" }, []],
      [{ connection_ids: ["conn_1", "conn_2"] }, ["c", "b", "a"]],
      [{ connection_ids: ["conn_2", "conn_3"], status: "5xx" }, ["b"]],
      [{ connection_ids: ["conn_3"] }, []],
      [{ operation: "git.listRepositories" }, ["a"]],
      [{ operation: "tools/call search" }, ['odd "\n\u0000 %']],
      [{ operation: "git" }, []],
      [{ path: "v1/even" }, ["conn_1"]],
      [{ path: 'events"\\' }, ["conn_1"]],
      [{ path: "/v1/git/repos", status: "404" }, ["d"]],
      [{ path: "unified" }, []],
      [{ without_platform_reads: true }, ['odd "\n\u0000 %', "d", "c", "b", "a"]],
      [{ outcome: "overload" }, []],
      [{ since: iso(2) }, ['odd "\n\u0000 %', "conn_1", "d", "c"]],
      [{ until: iso(2) }, ["b", "a"]],
      [{ since: iso(1), until: iso(3), status: "5xx" }, ["c", "b"]],
      [{ since: iso(6) }, []],
      [{ until: iso(0) }, []],
    ];
    for (const [filter, expected] of cases)
      expect(await found(workspace_id, filter), JSON.stringify(filter)).toEqual(expected);
  });

  it("a rare entry is found among many batches, and a page may begin anywhere", async () => {
    const workspace_id = newWorkspace();
    const isRare = (n: number) => n % 500 === 0;
    for (let batch = 0; batch < 40; batch++)
      await appendEntries(
        store,
        `log_${randomUUID()}`,
        Array.from({ length: 50 }, (_, index) => {
          const n = batch * 50 + index;
          return entry({ workspace_id, request_id: `r${n}`, at: START + n, status: isRare(n) ? 429 : 200 });
        }),
      );
    expect(await found(workspace_id, { status: "4xx" })).toEqual(["r1500", "r1000", "r500", "r0"]);
    expect(await found(workspace_id, { status: "429" }, { offset: 1, limit: 2 })).toEqual(["r1000", "r500"]);
    expect(await found(workspace_id, { request_id: "r777" })).toEqual(["r777"]);
    expect(await found(workspace_id, { status: "2xx" }, { offset: 1500, limit: 1 })).toEqual(["r496"]);
  });

  it("following a search that ends early finds every entry once, also if batches of many processes overlap", async () => {
    const workspace_id = newWorkspace();
    // 40 processes with 500 requests each in the same ten seconds, then in the ten before: more than one search reads.
    const wanted: string[] = [];
    for (const round of [1, 0])
      for (let process = 0; process < 40; process++) {
        const rows = Array.from({ length: 500 }, (_, index) => {
          const at = START + round * 10_000 + index * 20 + process;
          const path = index % 250 === 7 ? "/rare" : "/usual";
          if (path === "/rare") wanted.push(`${at} ${process}`);
          return entry({ workspace_id, request_id: `${at} ${process}`, at, path });
        });
        await appendEntries(store, `log_${randomUUID()}`, rows);
      }

    const seen: string[] = [];
    let until: string | undefined;
    for (let searches = 0; searches < 20; searches++) {
      const filter: LogFilter = { path: "/rare", ...(until === undefined ? {} : { until }) };
      const { entries, searched_until } = await store.requestLog.list(workspace_id, everything, filter);
      seen.push(...entries.map(({ request_id }) => request_id));
      if (searched_until === null) break;
      until = searched_until;
    }
    expect(seen).toHaveLength(wanted.length);
    expect(new Set(seen)).toEqual(new Set(wanted));
  });

  it("a list continues before an entry, whatever was added since, and ends if that entry was deleted", async () => {
    const workspace_id = newWorkspace();
    const add = (count: number, at: number) =>
      appendEntries(
        store,
        `log_${randomUUID()}`,
        Array.from({ length: count }, (_, index) => entry({ workspace_id, request_id: `${at} ${index}`, at })),
      );
    await add(5, START);
    await add(5, START);
    const all = await found(workspace_id, {});
    const seen: string[] = [];
    let before: string | undefined;
    for (let page = 0; page < 5; page++) {
      const { entries } = await store.requestLog.list(
        workspace_id,
        { offset: 0, limit: 3 },
        before === undefined ? {} : { before },
      );
      seen.push(...entries.map(({ request_id }) => request_id));
      before = entries.at(-1)?.id;
      if (before === undefined) break;
      await add(2, START + 1);
    }
    expect(seen).toEqual(all);
    expect(await found(workspace_id, { before: `log_${randomUUID()}0000` })).toEqual([]);
  });

  it("a batch that is written again with more entries replaces itself, and ids stay the same", async () => {
    const [one, other] = [newWorkspace(), newWorkspace()];
    const id = `log_${randomUUID()}`;
    const first = [entry({ workspace_id: one, request_id: "a" }), entry({ workspace_id: other, request_id: "b" })];
    const batch = store.requestLog.newBatch(id);
    for (const each of first) batch.add(each);
    await store.requestLog.write(batch);
    const [before] = (await store.requestLog.list(one, everything, {})).entries;
    batch.add(entry({ workspace_id: one, request_id: "c", at: START + 5, status: 500 }));
    await store.requestLog.write(batch);

    expect(await found(one, {})).toEqual(["c", "a"]);
    expect(await found(one, { status: "5xx" })).toEqual(["c"]);
    expect(await found(other, {})).toEqual(["b"]);
    expect(await store.requestLog.get(one, before!.id)).toEqual({ ...before, failure: null });
  });

  it("each of many workspaces has its own entries, failures and counts of a batch that is written twice", async () => {
    const workspaces = Array.from({ length: 30 }, newWorkspace);
    const batch = store.requestLog.newBatch(`log_${randomUUID()}`);
    for (const at of [START, START + 1]) {
      for (const [index, workspace_id] of workspaces.entries()) {
        const failure = index % 2 ? { query: null, detail: `number ${index}`, provider_body: null } : null;
        batch.add(entry({ workspace_id, at, request_id: `${index}`, duration_ms: 1, failure }));
      }
      await store.requestLog.write(batch);
    }
    const period = { width: "hour", since: iso(0), until: iso(3_600_000) } as const;
    for (const [index, workspace_id] of workspaces.entries()) {
      const { entries } = await store.requestLog.list(workspace_id, everything, {});
      expect(entries.map(({ request_id }) => request_id)).toEqual([`${index}`, `${index}`]);
      const newest = await store.requestLog.get(workspace_id, entries[0]!.id);
      expect(newest?.failure?.detail).toBe(index % 2 ? `number ${index}` : undefined);
      const { counts } = await store.requestLog.usage(workspace_id, period);
      expect(counts).toMatchObject([{ requests: 2, durations: { 0: 2 } }]);
    }
  });

  it("requests are counted by minute, hour and surface, each once however often its batch is written", async () => {
    const workspace_id = newWorkspace();
    const minute = 60_000;
    const entries = [
      entry({ workspace_id, at: START, duration_ms: 4 }),
      entry({ workspace_id, at: START + minute - 1, duration_ms: 5, error_source: "provider" }),
      entry({ workspace_id, at: START + minute, duration_ms: 99_999, error_source: "plugboard" }),
      entry({ workspace_id, at: START + minute, surface: "proxy", duration_ms: 5.1 }),
      entry({ workspace_id, at: START + 60 * minute, error_source: "application" }),
      // Reads of the workspace's own data do not count, unless they fail.
      entry({ workspace_id, at: START, surface: "platform" }),
      entry({ workspace_id, at: START + 61 * minute, surface: "platform", error_source: "plugboard" }),
      entry({ workspace_id: newWorkspace(), at: START }),
    ];
    const batch = store.requestLog.newBatch(`log_${randomUUID()}`);
    for (const [index, each] of entries.entries()) {
      batch.add(each);
      if (index % 2) await store.requestLog.write(batch);
    }
    await store.requestLog.write(batch);

    const classes = (counts: Record<number, number>) => Array.from({ length: 14 }, (_, index) => counts[index] ?? 0);
    const count = (start: number, fields: object) => ({
      start: iso(start),
      surface: "unified",
      requests: 1,
      application_errors: 0,
      plugboard_errors: 0,
      provider_errors: 0,
      ...fields,
    });
    const usage = async (width: "minute" | "hour", from: number, to: number) =>
      (await store.requestLog.usage(workspace_id, { width, since: iso(from), until: iso(to) })).counts;
    expect(await usage("minute", 0, 60 * minute)).toEqual([
      count(0, { requests: 2, provider_errors: 1, durations: classes({ 0: 2 }) }),
      count(minute, { surface: "proxy", durations: classes({ 1: 1 }) }),
      count(minute, { plugboard_errors: 1, durations: classes({ 13: 1 }) }),
    ]);
    expect(await usage("hour", 0, 120 * minute)).toEqual([
      count(0, { surface: "proxy", durations: classes({ 1: 1 }) }),
      count(0, { requests: 3, plugboard_errors: 1, provider_errors: 1, durations: classes({ 0: 2, 13: 1 }) }),
      count(60 * minute, { surface: "platform", plugboard_errors: 1, durations: classes({ 2: 1 }) }),
      count(60 * minute, { application_errors: 1, durations: classes({ 2: 1 }) }),
    ]);
    expect(await usage("minute", minute, 2 * minute)).toHaveLength(2);
    expect(await usage("minute", 5 * minute, 9 * minute)).toEqual([]);

    await store.requestLog.trimUsage("minute", iso(minute));
    expect((await usage("minute", 0, 60 * minute)).map(({ start }) => start)).toEqual([iso(minute), iso(minute)]);
    expect(await usage("hour", 0, 60 * minute)).toHaveLength(2);
  });

  it("requests over one connection are counted from the log", async () => {
    const workspace_id = newWorkspace();
    const own = { workspace_id, connection_id: "conn_1" };
    await appendEntries(store, `log_${randomUUID()}`, [
      entry({ ...own, at: START }),
      entry({ ...own, at: START + 1, error_source: "provider" }),
      entry({ ...own, at: START + 3_600_000, surface: "proxy" }),
      entry({ workspace_id, connection_id: "conn_2", at: START }),
      entry({ connection_id: "conn_1", workspace_id: newWorkspace(), at: START }),
    ]);
    const { counts: usage } = await store.requestLog.usage(workspace_id, {
      width: "hour",
      since: iso(0),
      until: iso(3_600_000),
      connection_id: "conn_1",
    });
    expect(usage).toEqual([
      {
        start: iso(0),
        surface: "unified",
        requests: 2,
        application_errors: 0,
        plugboard_errors: 0,
        provider_errors: 1,
        durations: expect.any(Array),
      },
    ]);
  });

  it("counts are right if several processes write the same minute at the same time", async () => {
    const workspace_id = newWorkspace();
    const surfaces = ["unified", "proxy", "mcp", "auth"];
    await Promise.all(
      Array.from({ length: 20 }, (_, process) =>
        appendEntries(
          store,
          `log_${randomUUID()}`,
          surfaces.map((_, index) => entry({ workspace_id, surface: surfaces[(index + process) % surfaces.length]! })),
        ),
      ),
    );
    const { counts } = await store.requestLog.usage(workspace_id, {
      width: "hour",
      since: iso(0),
      until: iso(3_600_000),
    });
    expect(counts.map(({ surface, requests }) => [surface, requests])).toEqual(
      surfaces.toSorted().map((surface) => [surface, 20]),
    );
  });

  it("an entry is read by its id, by its own workspace only", async () => {
    const workspace_id = newWorkspace();
    const upstream = [
      { method: "GET", path: "/a", status: 429, error: null, duration_ms: 1.5, attempt: 1 },
      { method: "GET", path: "/a", status: null, error: "timeout", duration_ms: 20_000, attempt: 2 },
    ];
    const failure = { query: "limit=1", detail: "too slow", provider_body: "ümlaut" };
    const written = entry({
      workspace_id,
      request_id: "x",
      upstream,
      upstream_calls: 1,
      status: 408,
      operation: "a.b",
      mcp_client: "a client",
      person: "user_1",
    });
    written.failure = failure;
    await appendEntries(store, `log_${randomUUID()}`, [entry({ workspace_id }), written]);
    const [listed] = (await store.requestLog.list(workspace_id, everything, { request_id: "x" })).entries;
    const { at, failure: _, ...fields } = written;
    expect(listed).toEqual({ ...fields, id: expect.stringMatching(/^log_/), created_at: new Date(at).toISOString() });
    expect(await store.requestLog.get(workspace_id, listed!.id)).toEqual({ ...listed, failure });
    for (const [workspace, id] of [
      [newWorkspace(), listed!.id],
      [workspace_id, `${listed!.id}0`],
      [workspace_id, listed!.id.slice(0, -1)],
      [workspace_id, `${listed!.id.slice(0, -2)}zz`],
      [workspace_id, ""],
    ] as const)
      expect(await store.requestLog.get(workspace, id), id).toBeUndefined();
  });
});
