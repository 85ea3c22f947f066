import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { serveToy, type ToyServer, toyEmulator } from "../../test/support/toy-provider.ts";
import type { Emulator } from "../contracts/emulator.ts";
import { changeableList } from "../emulator-kit/changes.ts";
import { times } from "../emulator-kit/data.ts";
import { emulate } from "../emulator-kit/emulator.ts";

interface Note {
  id: string;
  title: string;
  updated: string;
  pinned: boolean;
}
interface State {
  folders: Map<string, Note[]>;
}

const note = (index: number): Note => ({
  id: `n${index}`,
  title: `Note ${index}`,
  updated: "2024-01-01T00:00:00.000Z",
  pinned: index === 0,
});

const notes = changeableList({
  items: ({ folders }: State, { folder }) => folders.get(folder!),
  parameters: () => ({ folder: "main", author: undefined }),
  keeps: ({ folders }) => [...folders.values()].flat().flatMap(({ id, pinned }) => (pinned ? id : [])),
  id: ({ id }) => id,
  update: ({ title, time }) => ({ title, updated: time }),
  create: ({ nth }) => ({ id: `new${nth}`, pinned: false }),
});

/** The toy provider with notes in folders. */
const withChanges = emulate<State>({
  ...(toyEmulator as Emulator<unknown>),
  state: () => ({
    folders: new Map([
      ["main", times(6, note)],
      ["empty", []],
    ]),
  }),
  routes: { "GET /v2/notes": (_, { folders }) => ({ status: 200, body: folders.get("main") }) },
  open: ["GET /v2/notes"],
  changes: {
    "toy.listNotes": notes,
    "toy.listViews": notes,
    "toy.listPrices": { ...notes, impossible: { update: "prices are fixed" } },
  },
});

let server: ToyServer;
beforeEach(async () => {
  await server?.close();
  server = await serveToy({
    emulators: { toy: withChanges },
    allowsOrigin: (origin) => origin === "http://own.example",
  });
});
afterAll(() => server?.close());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url("/_changes"), {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const change = async (body: object): Promise<any> => {
  const response = await post({ provider: "toy", list: "toy.listNotes", ...body });
  return { status: response.status, ...((await response.json()) as object) };
};
const listNotes = async () => (await (await server.call("/v2/notes")).json()) as Note[];

describe("changes on command", () => {
  test("the answer has the ids of exactly the records that were changed, and the parameters", async () => {
    const before = await listNotes();
    const started = new Date().toISOString();
    const answer = await change({ create: 2, update: 1, delete: 2 });
    expect(answer).toMatchObject({
      status: 201,
      provider: "toy",
      list: "toy.listNotes",
      parameters: { folder: "main" },
      created: ["new1", "new2"],
    });
    const after = await listNotes();
    expect(after).toHaveLength(6);
    expect(before.filter(({ id }) => !after.some((one) => one.id === id)).map(({ id }) => id)).toEqual(answer.deleted);
    const changed = after.filter((one) => one.updated >= started).map(({ id }) => id);
    expect(changed.sort()).toEqual([...answer.created, ...answer.updated].sort());
    expect(new Set(after.map(({ title }) => title)).size).toBe(6);
  });

  test("ids are never used twice, and repeated updates reach other records", async () => {
    const created: string[] = [];
    const updated: string[] = [];
    for (let round = 0; round < 3; round++) {
      const answer = await change({ create: 1, update: 1, delete: 1 });
      created.push(...answer.created);
      updated.push(...answer.updated);
    }
    expect(new Set(created).size).toBe(3);
    expect(new Set(updated).size).toBe(3);
  });

  test("records that others depend on are not deleted", async () => {
    const { deleted } = await change({ delete: 5 });
    expect(deleted).not.toContain("n0");
    expect((await listNotes()).map(({ id }) => id)).toEqual(["n0"]);
  });

  test("no counts make no changes, and say which parameters the list has by default", async () => {
    const before = await listNotes();
    expect(await change({})).toMatchObject({ status: 201, parameters: { folder: "main" }, created: [] });
    expect(await listNotes()).toEqual(before);
  });

  test("a thousand of each kind are made in one request", async () => {
    for (const create of [1000, 1000]) await change({ create });
    const { created, updated, deleted } = await change({ create: 1000, update: 1000, delete: 1000 });
    expect(new Set([...created, ...updated, ...deleted]).size).toBe(3000);
    expect(await listNotes()).toHaveLength(2006);
  });

  test.each([
    ["no body", "", "the body must be object"],
    ["no list", { provider: "toy" }, "list"],
    ["an unknown provider", { provider: "nobody", list: "x" }, "provider must be one of toy"],
    ["an unknown list", { provider: "toy", list: "toString" }, "list must be one of toy.listNotes, toy.listViews"],
    ["a typo", { provider: "toy", list: "toy.listNotes", created: 1 }, "created is not a known field"],
    ["too many changes", { provider: "toy", list: "toy.listNotes", create: 1001 }, "create must be <= 1000"],
    ["a negative number", { provider: "toy", list: "toy.listNotes", update: -1 }, "update must be >= 0"],
    ["a number as text", { provider: "toy", list: "toy.listNotes", delete: "1" }, "delete must be integer"],
    [
      "an unknown parameter",
      { provider: "toy", list: "toy.listNotes", parameters: { fodler: "main" } },
      "parameters.fodler is not a known parameter: it has folder, author",
    ],
    [
      "a parameter that is an object",
      { provider: "toy", list: "toy.listNotes", parameters: { folder: {} } },
      "parameters.folder must be",
    ],
    [
      "a folder that does not exist",
      { provider: "toy", list: "toy.listNotes", create: 1, parameters: { folder: "lost" } },
      'there is no list with the parameters {"folder":"lost"}',
    ],
    [
      "a record to copy in an empty list",
      { provider: "toy", list: "toy.listNotes", create: 1, parameters: { folder: "empty" } },
      "the list is empty",
    ],
    ["more deletes than records", { provider: "toy", list: "toy.listNotes", delete: 6 }, "delete must be at most 5"],
    ["more updates than records", { provider: "toy", list: "toy.listNotes", update: 7 }, "update must be at most 6"],
    [
      "a list that cannot change",
      { provider: "toy", list: "toy.listPrices", update: 1 },
      "update is impossible in toy.listPrices of toy: prices are fixed",
    ],
  ])("changes with %s are refused with the reason, and nothing is changed", async (_, body, message) => {
    const before = await listNotes();
    const response = await post(body);
    expect([response.status, await response.text()]).toEqual([400, expect.any(String)]);
    expect(await listNotes()).toEqual(before);
    const { message: reason } = (await (await post(body)).json()) as { message: string };
    expect(reason).toContain(message);
  });

  test("a web page of another origin cannot make changes, and a body that is too long is refused", async () => {
    const body = { provider: "toy", list: "toy.listNotes", create: 1 };
    expect((await post(body, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(body, { origin: "http://own.example" })).status).toBe(201);
    expect((await post({ ...body, x: "x".repeat(10_000) })).status).toBe(413);
  });
});
