import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import { firstWindow, isTooWide, nextWindow, startOf, type Window } from "./creation-window.ts";
import { type Names, type ShortcutStory, toComment, toTask } from "./records.ts";
import { nextFound, storiesWith } from "./text-search.ts";

describe("windows of creation time", () => {
  const NOW = Date.parse("2026-11-15T12:00:00Z");

  test("windows of creation time follow one another without a gap, from tomorrow to before the first story", () => {
    const windows: Window[] = [];
    for (let window: Window | null = firstWindow(NOW); window; window = nextWindow(window, 0)) windows.push(window);
    expect(windows[0]!.end).toBe("2026-11-17T00:00:00.000Z");
    for (const [index, window] of windows.entries()) expect(startOf(window)).toBe(windows[index + 1]?.end);
    // An empty workspace costs few calls.
    expect(windows.length).toBeLessThan(10);
  });

  test("a sparse one is followed by a wider one, and a dense one by a narrower one", () => {
    const window = { end: "2026-11-15T00:00:00.000Z", days: 28 };
    const next = { end: "2026-10-18T00:00:00.000Z" };
    expect(nextWindow(window, 3)).toEqual({ ...next, days: 56 });
    expect(nextWindow(window, 100)).toEqual({ ...next, days: 28 });
    expect(nextWindow(window, 900)).toEqual({ ...next, days: 14 });
  });

  test("one with too many stories is read again in parts, unless it is a single day", () => {
    const window = { end: "2026-11-15T00:00:00.000Z", days: 100 };
    expect(isTooWide(window, 5_000)).toBe(true);
    expect(nextWindow(window, 5_000)).toEqual({ ...window, days: 5 });
    expect(nextWindow(window, 500_000)).toEqual({ ...window, days: 1 });
    expect(nextWindow({ ...window, days: 1 }, 500_000)).toEqual({ end: "2026-11-14T00:00:00.000Z", days: 1 });
  });
});

describe("searches by text", () => {
  const page = (count: number, next: string | null = "/api/v3/search/stories?query=%22a%22&next=abc~25") => ({
    data: Array<ShortcutStory>(count),
    next,
  });

  test("the words of a client are in quotes, where they are no operators", () => {
    const { path, locked } = storiesWith('a" is:done !b * c', { next: "abc~25", before: 100 });
    expect([path, locked]).toEqual([
      "/search/stories",
      { query: '"a" "is:done" "!b" "c"', detail: "full", page_size: 100, next: "abc~25" },
    ]);
  });

  test("a search ends with its last page, or where Shortcut ends it", () => {
    expect(nextFound(page(100), undefined)).toEqual({ next: "abc~25", before: 100 });
    expect(nextFound(page(100), { next: "x", before: 800 })).toEqual({ next: "abc~25", before: 900 });
    expect(nextFound(page(100), { next: "x", before: 900 })).toBeNull();
    expect(nextFound(page(30, null), undefined)).toBeNull();
  });
});

const names: Names = {
  states: new Map([[7, { id: 7, name: "In Prüfung", type: "started" }]]),
  people: new Map([
    ["u1", "Zoë"],
    ["u2", null],
  ]),
};
const story: ShortcutStory = {
  id: 12,
  name: "日本語",
  description: "**Markdown**\r\nhere\n",
  app_url: "https://app.shortcut.com/acme/story/12",
  workflow_id: 1,
  workflow_state_id: 7,
  group_id: "g1",
  owner_ids: ["u1", "u2"],
  labels: [{ name: "bug" }],
  deadline: "2026-03-01T00:00:00Z",
  parent_story_id: 11,
  created_at: "2026-01-02T03:04:05Z",
  updated_at: "2026-02-03T04:05:06Z",
  completed_at: "2026-02-01T00:00:00Z",
};

describe("tasks", () => {
  test("a task has the names behind its IDs, and its team as its project", () => {
    expect(toTask(story, names)).toEqual({
      id: "12",
      title: "日本語",
      description: "**Markdown**\nhere",
      status: "In Prüfung",
      status_category: "in_progress",
      project_id: "g1",
      assignee: { id: "u1", name: "Zoë" },
      priority: null,
      labels: ["bug"],
      due_at: "2026-03-01T00:00:00.000Z",
      parent_id: "11",
      url: "https://app.shortcut.com/acme/story/12",
      created_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-02-03T04:05:06.000Z",
      completed_at: "2026-02-01T00:00:00.000Z",
    });
  });

  test("what a story does not have is null, and a completion that was set by hand counts", () => {
    const nothing = { description: "", group_id: null, owner_ids: [], deadline: null, parent_story_id: null };
    expect(toTask({ ...story, ...nothing, labels: [], updated_at: null }, names)).toMatchObject({
      description: null,
      project_id: null,
      assignee: null,
      labels: [],
      due_at: null,
      parent_id: null,
      updated_at: "2026-01-02T03:04:05.000Z",
    });
    const completed_at_override = "2025-12-24T00:00:00Z";
    expect(toTask({ ...story, completed_at_override }, names).completed_at).toBe("2025-12-24T00:00:00.000Z");
  });

  test.each([
    ["backlog", "todo"],
    ["unstarted", "todo"],
    ["started", "in_progress"],
    ["done", "done"],
    ["future", "todo"],
  ])("a state of the type %s means %s", (type, expected) => {
    const states = new Map([[7, { id: 7, name: "x", type }]]);
    expect(toTask(story, { ...names, states }).status_category).toBe(expected);
  });

  test("a state that is not known is done if the story is completed", () => {
    const unknown = { ...names, states: new Map() };
    expect(toTask({ ...story, completed: true }, unknown)).toMatchObject({ status: "", status_category: "done" });
    expect(toTask({ ...story, completed: false }, unknown)).toMatchObject({ status: "", status_category: "todo" });
  });

  test("the author of a comment may be unknown or nobody", () => {
    const comment = { id: 5, text: "Yes\r\n", created_at: "2026-01-02T03:04:05Z" };
    expect(toComment({ ...comment, author_id: "u3" }, names)).toEqual({
      id: "5",
      text: "Yes",
      author: { id: "u3", name: null },
      created_at: "2026-01-02T03:04:05.000Z",
    });
    expect(toComment({ ...comment, author_id: null }, names).author).toBeNull();
  });

  test("a mention is the name of the member, and not a link to Shortcut's own application", () => {
    const text =
      "[@ada](shortcutapp://members/61d3-65e5) and [@Team A](shortcutapp://groups/1): `[@b](shortcutapp://c)` [d](https://e.example)";
    const shown = "@ada and @Team A: `[@b](shortcutapp://c)` [d](https://e.example)";
    expect(toComment({ id: 5, text, created_at: "2026-01-02T03:04:05Z" }, names).text).toBe(shown);
    expect(toTask({ ...story, description: text }, names).description).toBe(shown);
  });
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  const listTasks = operation("tasks.listTasks");
  const listComments = operation("tasks.listComments");
  let service: TestService;
  let client: Client;
  let all: Record<string, any>[];
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "shortcut")!);
    all = await client.walk(listTasks, {}, [100]);
  });
  afterAll(() => service?.close());

  test("every story is listed once, the newest first, also one that was imported from long ago", () => {
    expect(all).toHaveLength(330);
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().reverse());
    expect(times.at(-1)).toBe("2011-05-06T07:08:09.000Z");
  });

  test("`project_id` restricts the list to one team's stories, whatever `params` say", async () => {
    const [rockets, japanese, empty] = await client.walk(operation("tasks.listProjects"), {}, [100]);
    for (const [team, least] of [
      [rockets, 100],
      [japanese, 20],
      [empty, 0],
    ]) {
      const own = all.filter(({ project_id }) => project_id === team.id);
      expect(own.length).toBeGreaterThanOrEqual(least);
      const query = {
        project_id: team.id,
        params: JSON.stringify({ group_id: "other", created_at_end: "2020-01-01" }),
      };
      expect(await client.walk(listTasks, {}, [7], query)).toEqual(own);
    }
  });

  test("an invalid ID of a team, or of a member, has no tasks", async () => {
    for (const filter of ["project_id", "assignee_id"])
      expect((await client.call(listTasks, {}, { [filter]: "none" })).body.response.data).toEqual([]);
  });

  test("stories that were updated since a time are found by Shortcut's filter", async () => {
    const updated_since = all
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-5);
    const exchanges = await client.exchanges(async () => {
      const found = await client.walk(listTasks, {}, [100], { updated_since });
      expect(found).toHaveLength(5);
    });
    const searches = exchanges.filter(({ request }) => request.path.endsWith("/stories/search"));
    expect(new Set(searches.map(({ request }) => request.body.updated_at_start))).toEqual(new Set([updated_since]));
  });

  test("deleted comments are left out, and a member without a name has the one that mentions it", async () => {
    const comments = await client.walk(listComments, { task_id: all[0]!.id }, [100]);
    expect(comments).toHaveLength(240);
    expect(new Set(comments.map(({ author }) => author?.name))).toEqual(
      new Set(["Sandra Box", "Zoë Müller", "noname", "Jürgen Groß", undefined]),
    );
  });

  test("the token is sent in Shortcut's own header", async () => {
    const [exchange] = await client.exchanges(() => client.call(operation("identity.getMe"), {}));
    expect(exchange!.request.headers["shortcut-token"]).toMatch(/./);
    expect(exchange!.request.headers.authorization).toBeUndefined();
  });
});
