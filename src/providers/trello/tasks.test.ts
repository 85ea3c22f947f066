import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import trello from "./manifest.ts";
import { type TrelloCard, toComment, toTask } from "./records.ts";
import { operations } from "./tasks.ts";

const manifest: Manifest = trello;
const card: TrelloCard = {
  id: "69f0b4cb1234567890abcdef",
  name: "Grüße 👋",
  desc: "**Markdown**\r\n",
  url: "https://trello.com/c/abc/1-card",
  closed: false,
  dueComplete: false,
  due: "2026-05-01T22:30:00.000Z",
  idBoard: "b1",
  idList: "l1",
  labels: [
    { name: "grün", color: "green" },
    { name: "", color: "red" },
    { name: "", color: null },
  ],
  members: [
    { id: "m1", fullName: "Zoë" },
    { id: "m2", fullName: "Ada" },
  ],
  dateLastActivity: "2026-04-29T00:00:00.000Z",
};

describe("searches", () => {
  const listTasks = operations.listTasks as AnyList;
  const context = (cursor?: string) =>
    ({
      input: { query: "Is:open -a @me #b" },
      limit: 2,
      cursor,
      place: { id: "b1,b2" },
      select: [],
    }) as unknown as AnyPageContext;

  test("the words of a client are no operators", () => {
    const { path, locked } = listTasks.request(context("3"));
    expect([path, locked]).toEqual([
      "/search",
      {
        query: "is open a me b",
        idBoards: "b1,b2",
        modelTypes: "cards",
        card_members: true,
        cards_limit: 2,
        cards_page: "3",
      },
    ]);
  });

  test("a search has numbered pages, the last of which is not full or the last that Trello returns", () => {
    const nextOf = (cards: object[], cursor?: string) =>
      listTasks.next({ status: 200, headers: {}, body: { cards } }, context(cursor));
    const full = [{}, {}];
    expect([nextOf(full), nextOf(full, "7"), nextOf([{}], "7"), nextOf(full, "100")]).toEqual(["1", "8", null, null]);
  });

  test("a search is of 50 open boards at a time", async () => {
    const boards = Array.from({ length: 120 }, (_, index) => ({
      id: `b${index}`,
      lists: [{ id: `l${index}`, name: "x" }],
    }));
    const upstream = async () => ({ status: 200, headers: {}, body: boards });
    const places = await listTasks.places!({ ...context(), upstream } as unknown as AnyPageContext);
    expect(places.map(({ id }) => id.split(",").length)).toEqual([50, 50, 20]);
    expect([...(places[2] as any).lists.keys()]).toEqual(boards.slice(100).map(({ lists }) => lists[0]!.id));
  });
});

describe("toTask", () => {
  test("a task has its creation time from its id, and the name of its list as status", () => {
    expect(toTask(card, "In Prüfung")).toEqual({
      id: "69f0b4cb1234567890abcdef",
      title: "Grüße 👋",
      description: "**Markdown**",
      status: "In Prüfung",
      status_category: "todo",
      project_id: "b1",
      assignee: { id: "m1", name: "Zoë" },
      priority: null,
      labels: ["grün", "red"],
      due_at: "2026-05-01T22:30:00.000Z",
      parent_id: null,
      url: "https://trello.com/c/abc/1-card",
      created_at: new Date(0x69f0b4cb * 1000).toISOString(),
      updated_at: "2026-04-29T00:00:00.000Z",
      completed_at: null,
    });
  });

  test.each([
    ["To Do", {}, "todo"],
    ["Doing", {}, "in_progress"],
    ["DONE ", {}, "done"],
    ["In Progress", {}, "in_progress"],
    ["🚧 In-progress (2)", {}, "in_progress"],
    ["Code review", {}, "in_progress"],
    ["✅ Completed", {}, "done"],
    ["Not done", {}, "todo"],
    ["Ideas", {}, "todo"],
    ["Ideas", { dueComplete: true }, "done"],
    ["Doing", { closed: true }, "done"],
  ])("a card in %s with %j is %s", (list, fields, category) => {
    expect(toTask({ ...card, ...fields }, list).status_category).toBe(category);
  });

  test("an archived card has the status archived, whatever its list", () => {
    expect(toTask({ ...card, closed: true }, "Doing").status).toBe("archived");
  });

  test("a card of which only the ID is known gets null, an empty list or a default for everything else", () => {
    const bare = toTask({ id: card.id, desc: " ", dateLastActivity: null });
    expect(bare).toEqual({
      ...toTask(card),
      title: "",
      description: null,
      project_id: null,
      assignee: null,
      labels: [],
      due_at: null,
      url: `https://trello.com/c/${card.id}`,
      updated_at: bare.created_at,
    });
  });
});

test("a comment without text or author has null instead, and an author without a name the username", () => {
  expect(toComment({ id: "1", data: { text: " \n" }, memberCreator: null })).toEqual({
    id: "1",
    text: null,
    author: null,
    created_at: null,
  });
  const memberCreator = { id: "m3", fullName: "", username: "nobody" };
  expect(toComment({ id: "1", memberCreator }).author).toEqual({ id: "m3", name: "nobody" });
});

test("the next page starts before the oldest card, wherever that card is on the board", () => {
  const { next, items } = operations.listTasks as AnyList;
  const cards = ["3", "1", "2"].map((id) => ({ ...card, id }));
  const nextOf = (limit: number) =>
    next({ status: 200, headers: {}, body: cards }, { limit } as AnyPageContext) ?? null;
  expect(nextOf(3)).toBe("1");
  expect(nextOf(4)).toBeNull();
  expect(items(cards, { place: {} } as AnyPageContext).map(({ id }) => id)).toEqual(["3", "2", "1"]);
  expect(next({ status: 200, headers: {}, body: [] }, { limit: 1 } as AnyPageContext)).toBeNull();
});

test("a key and its token are sent in the query, an OAuth token in the header", () => {
  expect(manifest.authorization!({ username: "made-up key", password: "made-up token" }, "basic")).toEqual({
    query: { key: "made-up key", token: "made-up token" },
  });
  expect(manifest.authorization!({ token: "made-up" }, "oauth2")).toEqual({
    headers: { authorization: "Bearer made-up" },
  });
});
