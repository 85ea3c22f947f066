import { createSecretKey } from "node:crypto";
import { getHeapSpaceStatistics } from "node:v8";
import Type from "typebox";
import { expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { Context, ListImplementation, PageContext } from "../../contracts/provider.ts";
import { list as defineList } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { collectGarbage } from "../../runtime/v8.ts";
import { createCursors, type Position } from "./cursor.ts";
import { createFormatGuard } from "./format-guard.ts";
import { advance, createLister, type ListRequest, MAX_CALLS } from "./list.ts";
import type { OperationRun } from "./upstream.ts";

const records = (...ids: string[]) => ids.map((id) => ({ id }));
const start: Position = { size: 3 };

it("a page that is taken whole leads to the provider's next page", () => {
  const page = { records: records("a", "b", "c"), next: "cursor-2" };
  expect(advance(start, page, 3)).toEqual({ taken: records("a", "b", "c"), position: { size: 3, cursor: "cursor-2" } });
});

it("a page that is cut leads back into the same page, after the last record taken", () => {
  const page = { records: records("a", "b", "c"), next: "cursor-2" };
  const first = advance({ ...start, cursor: "cursor-1" }, page, 2);
  expect(first).toEqual({
    taken: records("a", "b"),
    position: { size: 3, cursor: "cursor-1", skip: 2, last: "b" },
  });
  expect(advance(first.position!, page, 2)).toEqual({ taken: records("c"), position: { size: 3, cursor: "cursor-2" } });
});

it("a cut page that has shifted since is resumed after the record returned last", () => {
  const position = { ...start, skip: 2, last: "b" };
  const shifted = { records: records("new", "a", "b", "c"), next: null };
  expect(advance(position, shifted, 9)).toEqual({ taken: records("c"), position: undefined });
});

it("a cut page without the record returned last is resumed by count", () => {
  const position = { ...start, skip: 2, last: "b" };
  const page = { records: records("a", "x", "c"), next: null };
  expect(advance(position, page, 9).taken).toEqual(records("c"));
});

it("records without an id are recognized by their name", () => {
  const tags = [{ name: "v1" }, { name: "v2" }];
  const { position } = advance(start, { records: tags, next: null }, 1);
  expect(position).toMatchObject({ skip: 1, last: "v1" });
});

it("the last page of a place leads to the next place, and that of the last place ends the walk", () => {
  const places = [{ id: "one" }, { id: "two" }];
  const page = { records: records("a"), next: null };
  const second = advance({ ...start, place: "one", placeIndex: 0 }, page, 9, places);
  expect(second.position).toEqual({ size: 3, place: "two", placeIndex: 1 });
  expect(advance(second.position!, page, 9, places).position).toBeUndefined();
});

it("the next page of a place stays in that place", () => {
  const page = { records: records("a"), next: "more" };
  expect(advance({ ...start, place: "two", placeIndex: 1 }, page, 9, [{ id: "one" }, { id: "two" }]).position).toEqual({
    size: 3,
    cursor: "more",
    place: "two",
    placeIndex: 1,
  });
});

it("an empty page leads to the provider's next page", () => {
  expect(advance(start, { records: [], next: "more" }, 5)).toEqual({
    taken: [],
    position: { size: 3, cursor: "more" },
  });
});

const malformed = vi.fn();
const skipped = vi.fn();

interface Page {
  items: { id: string }[];
  next?: number;
}

/** A provider with `pages` pages of `size` records each. */
function setUp(pages: number, size: number, more: Partial<ListImplementation> = {}) {
  const call = vi.fn(async (run: OperationRun, request: { locked: Record<string, unknown> }) => {
    run.calls++;
    const index = Number(request.locked.cursor ?? 0);
    const items = Array.from({ length: size }, (_, item) => ({ id: `${index}-${item}` }));
    return { status: 200, headers: {}, body: { items, ...(index + 1 < pages ? { next: index + 1 } : {}) } };
  });
  const list = createLister(
    call as never,
    createCursors(() => [createSecretKey(Buffer.alloc(32, 1))]),
    createFormatGuard({ malformed }),
    { skipped },
  );
  const implementation = {
    ...defineList({
      maxPageSize: 100,
      items: (body: Page) => body.items,
      next: ({ body }) => body.next,
      request: ({ limit, cursor }) => get("/items", {}, { limit, cursor }),
      record: (item) => item,
    }),
    ...more,
  };
  const run = (): OperationRun => ({
    connection: testConnection(),
    maxRetries: 0,
    repeatable: true,
    calls: 0,
    bytes: 0,
  });
  const request = (limit: number, after?: string | null): ListRequest => ({
    implementation,
    context: { input: {} } as Context,
    passthrough: undefined,
    cursorBinding: () => ({ operation: "a.b", provider: "acme", origin: "https://acme.example", params: {} }),
    limit,
    after: after ?? undefined,
    includeRaw: false,
  });
  return { call, list, run, request };
}

it("one request makes at most 20 provider calls, and its cursor continues", async () => {
  const { call, list, run, request } = setUp(50, 1);
  const first = await list(run(), request(100));
  expect(call).toHaveBeenCalledTimes(MAX_CALLS);
  expect(MAX_CALLS).toBe(20);
  expect(first.data).toHaveLength(20);
  const second = await list(run(), request(100, first.next));
  const third = await list(run(), request(100, second.next));
  const ids = [...first.data, ...second.data, ...third.data].map((record) => (record as { id: string }).id);
  expect(ids).toEqual(Array.from({ length: 50 }, (_, index) => `${index}-0`));
  expect(third.next).toBeNull();
});

it("what was read for a call that has ended does not get into the old heap", async () => {
  const SIZE = 5_000;
  const { call, list, run, request } = setUp(1, SIZE);
  const respond = call.getMockImplementation()!;
  const collectYoungTwice = () => {
    for (let times = 0; times < 2; times++) collectGarbage({ type: "minor" });
  };
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")!.space_used_size;

  async function growth(): Promise<number> {
    const { promise: waiting, resolve: goOn } = Promise.withResolvers<void>();
    call.mockImplementation((...values) => waiting.then(() => respond(...values)));
    const reading = list(run(), request(SIZE));
    collectYoungTwice();
    const before = oldBytes();
    goOn();
    const result = await reading;
    const { length } = result.data;
    result.data = [];
    expect(length).toBe(SIZE);
    collectYoungTwice();
    return oldBytes() - before;
  }

  // The first ones compile, and V8 may collect objects while they are still needed.
  const growths = [];
  for (let times = 0; times < 5; times++) growths.push(await growth());
  // The records alone take more than 300 kB.
  expect(Math.min(...growths)).toBeLessThan(100_000);
});

const colored = {
  filters: {
    color: { schema: Type.String(), matches: ({ id }: { id: string }, value: string) => id.endsWith(value) },
    owner_id: { schema: Type.String(), isId: true as const },
  },
};

it("full pages are requested if the engine filters, and small ones if the provider does", async () => {
  for (const [filters, size] of [
    [[], 100],
    [["color"], 12],
  ] as const) {
    const { call, list, run, request } = setUp(3, 10, { filters });
    const { data } = await list(run(), { ...request(2), ...colored, filterValues: { color: "-7" } });
    expect(data).toEqual([{ id: "0-7" }, { id: "1-7" }]);
    expect(call.mock.calls.map(([, { locked }]) => locked.limit)).toEqual([size, size]);
  }
});

it("a provider's refusal of an unknown ID is an empty list, except for later pages, own parameters and subscriptions", async () => {
  const { call, list, run, request } = setUp(3, 10, { filters: ["owner_id"] });
  const filtered = { ...request(2), ...colored, filterValues: { owner_id: "7" } };
  const { next } = await list(run(), filtered);
  call.mockRejectedValue(new ProviderFailure(404, {}, Buffer.from("")));
  expect(await list(run(), filtered)).toMatchObject({ data: [], next: null });
  for (const more of [{ after: next! }, { passthrough: {} }, { keepsErrors: true }, { filterValues: { color: "7" } }])
    await expect(list(run(), { ...filtered, ...more })).rejects.toThrow(ProviderFailure);
});

it("a request reads one page even if its calls are used up before", async () => {
  const { list, run, request } = setUp(2, 1);
  const exhausted = { ...run(), calls: MAX_CALLS };
  expect((await list(exhausted, request(100))).data).toHaveLength(1);
});

it("a walk returns every record once, whatever the limits along the way", async () => {
  const { list, run, request } = setUp(4, 7);
  const ids: string[] = [];
  let after: string | null = null;
  for (const limit of [1, 5, 100, 2, 3, 100, 100]) {
    const page: { data: unknown[]; next: string | null } = await list(run(), request(limit, after));
    ids.push(...page.data.map((record) => (record as { id: string }).id));
    after = page.next;
    if (!after) break;
  }
  expect(after).toBeNull();
  expect(ids).toEqual([0, 1, 2, 3].flatMap((page) => [0, 1, 2, 3, 4, 5, 6].map((item) => `${page}-${item}`)));
});

it("items that are not kept are dropped, and one that `keep` fails on is skipped and reported", async () => {
  const { list, run, request } = setUp(1, 4, {
    items: (body) => [...(body as Page).items, null],
    keep: (item) => (item as { id: string }).id > "0-1",
    record: (item) => ({ id: (item as { id: string }).id }),
  });
  skipped.mockClear();
  expect(await list(run(), request(10))).toMatchObject({ data: records("0-2", "0-3"), skipped: 1 });
  expect(skipped).toHaveBeenCalledOnce();
});

it("the page size adds up to the limit, is never below 12, below 200 if items are dropped, and full if the provider ignores it", async () => {
  const sizeFor = async (limit: number, more: Partial<ListImplementation> = {}) => {
    const { call, list, run, request } = setUp(1, 1, more);
    await list(run(), request(limit));
    return call.mock.calls[0]![1].locked.limit;
  };
  expect(await sizeFor(100)).toBe(100);
  expect(await sizeFor(1)).toBe(12);
  expect(await sizeFor(100, { maxPageSize: 60 })).toBe(50);
  expect(await sizeFor(1, { maxPageSize: 5 })).toBe(5);
  expect(await sizeFor(1, { ignoresPageSize: true })).toBe(100);
  expect(await sizeFor(1, { keep: () => true })).toBe(100);
  expect(await sizeFor(1, { keep: () => true, maxPageSize: 1000 })).toBe(200);
});

it("the raw result is the page itself if one was read, and a list of pages otherwise", async () => {
  const { list, run, request } = setUp(3, 10);
  expect((await list(run(), { ...request(5), includeRaw: true })).raw).toMatchObject({ next: 1 });
  expect((await list(run(), { ...request(25), includeRaw: true })).raw).toMatchObject({ pages: [{}, {}, {}] });
});

it("the provider's own bodies are kept only if they are wanted, and then up to 8 MB, after which the cursor continues", async () => {
  const { call, list, run, request } = setUp(6, 10);
  const megabytes = 3 * 1024 * 1024;
  const answer = call.getMockImplementation()!;
  call.mockImplementation(async (run, request) => {
    run.bytes += megabytes;
    return answer(run, request);
  });
  const without = await list(run(), request(60));
  expect(without).toMatchObject({ raw: { pages: [] }, next: null });
  expect(without.data).toHaveLength(60);
  const first = await list(run(), { ...request(60), includeRaw: true });
  expect(first).toMatchObject({ raw: { pages: [{}, {}, {}] }, next: expect.any(String) });
  const second = await list(run(), { ...request(60, first.next), includeRaw: true });
  expect([...first.data, ...second.data]).toEqual(without.data);
  expect(second.next).toBeNull();
});

function setUpPlaces(places: () => { id: string }[], change: Partial<ListImplementation> = {}) {
  const call = vi.fn(async (run: OperationRun, request: { path: string; locked: Record<string, unknown> }) => {
    run.calls++;
    const place = request.path.slice(1);
    if (place === "broken") throw new Error("broken");
    return { status: 200, headers: {}, body: { items: [{ id: `${place}-1` }, { id: `${place}-2` }] } };
  });
  const load = vi.fn(async () => places());
  const list = createLister(
    call as never,
    createCursors(() => [createSecretKey(Buffer.alloc(32, 1))]),
    createFormatGuard({ malformed }),
    { skipped },
  );
  const implementation = defineList({
    maxPageSize: 100,
    places: load,
    items: (body: Page) => body.items,
    next: () => null,
    request: ({ place }) => get(`/${place.id}`),
    record: (item) => item,
    ...change,
  });
  const read = (limit: number, after?: string | null) =>
    list(
      { connection: testConnection(), maxRetries: 0, repeatable: true, calls: 0, bytes: 0 },
      {
        implementation,
        context: { input: {} } as Context,
        passthrough: undefined,
        cursorBinding: () => ({ operation: "a.b", provider: "acme", origin: "https://acme.example", params: {} }),
        limit,
        after: after ?? undefined,
        includeRaw: false,
      },
    );
  const ids = ({ data }: { data: unknown[] }) => data.map((record) => (record as { id: string }).id);
  return { read, load, ids };
}

it("places are read one after the other, and asked for once in a walk", async () => {
  const { read, load, ids } = setUpPlaces(() => [{ id: "a" }, { id: "b" }]);
  const first = await read(3);
  expect(ids(first)).toEqual(["a-1", "a-2", "b-1"]);
  const second = await read(3, first.next);
  expect(ids(second)).toEqual(["b-2"]);
  expect(second.next).toBeNull();
  expect(load).toHaveBeenCalledTimes(1);
});

it.each([
  ["added", [{ id: "new" }, { id: "a" }, { id: "b" }]],
  ["deleted", [{ id: "b" }]],
])("a walk continues in the same place if others were %s before it", async (_, changed) => {
  const first = await setUpPlaces(() => [{ id: "a" }, { id: "b" }]).read(3);
  // Another process has not seen the beginning of the walk, and asks for the places itself.
  const other = setUpPlaces(() => changed);
  expect(other.ids(await other.read(9, first.next))).toEqual(["b-2"]);
});

it("a walk whose place was deleted continues at the beginning of the next one, and ends after the last", async () => {
  const first = await setUpPlaces(() => [{ id: "a" }, { id: "b" }, { id: "c" }]).read(3);
  const other = setUpPlaces(() => [{ id: "a" }, { id: "c" }]);
  expect(other.ids(await other.read(9, first.next))).toEqual(["c-1", "c-2"]);
  const empty = setUpPlaces(() => [{ id: "a" }]);
  expect(await empty.read(9, first.next)).toMatchObject({ data: [], next: null });
});

it("the next place is not asked for the page that a deleted one was read up to", async () => {
  const next = () => "b-page-2";
  const first = await setUpPlaces(() => [{ id: "b" }, { id: "c" }], { next }).read(2);
  const request = vi.fn(({ place }: PageContext) => get(`/${place.id}`));
  await setUpPlaces(() => [{ id: "c" }], { request }).read(2, first.next);
  expect(request.mock.calls).toMatchObject([[{ place: { id: "c" }, cursor: undefined }]]);
});

it.each([
  ["no list", null],
  ["a place that is null", [null]],
  ["a place without an id", [{}]],
])("places in another format than documented are a malformed answer: %s", async (_, places) => {
  const { read } = setUpPlaces(() => places as never);
  await expect(read(2)).rejects.toMatchObject({ kind: "upstream_malformed" });
});

it("a page on which the provider's own code fails is a malformed answer, which is reported with its connection", async () => {
  const failure = new TypeError("Cannot read properties of null");
  const fail = () => {
    throw failure;
  };
  for (const name of ["items", "record", "next", "request"]) {
    malformed.mockClear();
    const { list, run, request } = setUp(1, 1, { [name]: fail });
    await expect(list(run(), request(1))).rejects.toMatchObject({ kind: "upstream_malformed" });
    expect(malformed.mock.calls).toEqual([[{ provider: "acme", connection_id: "conn_1", err: failure }]]);
  }
});

const oddItem = (item: unknown) => {
  const { id } = item as { id: string };
  if (id.endsWith("-1")) throw new TypeError("Cannot read properties of null (reading 'x')");
  return { id };
};

it("an item that cannot be read is left out, counted once in a walk whatever its limits, and reported", async () => {
  const { list, run, request } = setUp(2, 3, { record: oddItem });
  for (const limits of [[9], [1, 1, 9]]) {
    skipped.mockClear();
    const ids: unknown[] = [];
    const counts: number[] = [];
    let after: string | null = null;
    for (const limit of limits) {
      const page: Awaited<ReturnType<typeof list>> = await list(run(), request(limit, after));
      ids.push(...page.data.map((record) => (record as { id: string }).id));
      counts.push(page.skipped);
      after = page.next;
    }
    expect(ids).toEqual(["0-0", "0-2", "1-0", "1-2"]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(skipped.mock.calls).toEqual(
      [1, 2].map(() => [
        {
          provider: "acme",
          connection_id: "conn_1",
          operation: "a.b",
          count: 1,
          reason: "Cannot read properties of null (reading 'x')",
        },
      ]),
    );
  }
});

it("an item without one of the record's keys is left out, and the report does not quote it", async () => {
  const schema = Type.Object({ id: Type.String(), name: Type.String() });
  const record = ({ id }: { id: string }) => (id === "0-0" ? { id, name: "a" } : JSON.parse(`{"name":"secret`));
  const { list, run, request } = setUp(1, 2, { record: record as never });
  skipped.mockClear();
  expect(await list(run(), { ...request(5), schema })).toMatchObject({ data: [{ id: "0-0" }], skipped: 1 });
  expect(skipped.mock.calls[0]![0].reason).toBe("SyntaxError");
  const incomplete = setUp(1, 2, { record: ({ id }: any) => (id === "0-0" ? { id, name: "a" } : { id }) });
  expect(await incomplete.list(run(), { ...request(5), ...incomplete.request(5), schema })).toMatchObject({
    data: [{ id: "0-0" }],
    skipped: 1,
  });
});

it("custom fields are read from an item as the provider sent it", async () => {
  const readCustom = vi.fn((item: unknown) => ({ id: (item as { id: string }).id }));
  const { list, run, request } = setUp(1, 1, { record: (item) => ({ ...(item as object) }) });
  expect((await list(run(), { ...request(1), readCustom })).data).toEqual([{ id: "0-0", custom: { id: "0-0" } }]);
  const wrapped = setUp(1, 1, { record: (item) => ({ ...(item as object) }), original: () => ({ id: "original" }) });
  expect((await wrapped.list(run(), { ...wrapped.request(1), readCustom })).data).toEqual([
    { id: "0-0", custom: { id: "original" } },
  ]);
});

it("a page of which no item can be read is a malformed answer", async () => {
  const { list, run, request } = setUp(2, 3, { record: (item: any) => oddItem({ id: `${item.id}-1` }) });
  await expect(list(run(), request(9))).rejects.toMatchObject({ kind: "upstream_malformed" });
});

it("a page whose records take long to map lets other requests run about every 10 ms, and one that does not is mapped in one piece", async () => {
  const clock = { now: 0 };
  const spy = vi.spyOn(Date, "now").mockImplementation(() => clock.now);
  /** How many turns others get during a page of 20 records that each take so long. */
  async function turnsOf(milliseconds: number): Promise<number> {
    const { list, run, request } = setUp(1, 20, {
      record: (item) => {
        clock.now += milliseconds;
        return item;
      },
    });
    let turns = 0;
    const count = () => {
      turns++;
      other = setImmediate(count);
    };
    let other = setImmediate(count);
    const { data } = await list(run(), request(20));
    clearImmediate(other);
    expect(data).toHaveLength(20);
    return turns;
  }
  expect(await turnsOf(0.1)).toBe(0);
  expect(await turnsOf(5)).toBe(9);
  expect(await turnsOf(40)).toBe(19);
  spy.mockRestore();
});

it("places are asked for again after one of them failed", async () => {
  let places = [{ id: "a" }, { id: "broken" }];
  const { read, load } = setUpPlaces(() => places);
  const first = await read(2);
  await expect(read(2, first.next)).rejects.toThrow("broken");
  places = [{ id: "a" }, { id: "b" }];
  await read(2, first.next);
  expect(load).toHaveBeenCalledTimes(2);
});
