import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { wordsOf } from "../../provider-kit/search-text.ts";
import { providers } from "../registry.gen.ts";
import identity from "./identity.ts";
import { categoryOf, layoutOf } from "./layout.ts";
import { type NotionPage, toComment, toTask } from "./records.ts";
import { plainText, richTextToMarkdown } from "./rich-text.ts";
import type { NotionPageOf } from "./sources.ts";
import notionTasks, { nextPosition, pagesOf } from "./tasks.ts";

describe("layout of a data source", () => {
  test("a property with a usual name counts before the first of its type", () => {
    const layout = layoutOf({
      Name: { type: "title" },
      Started: { type: "date" },
      Deadline: { type: "date" },
      Reviewer: { type: "people" },
      "Assigned to": { type: "people" },
      Team: { type: "multi_select" },
      Labels: { type: "multi_select" },
      Log: { type: "rich_text" },
      Description: { type: "rich_text" },
      Size: { type: "select" },
      Priority: { type: "select" },
      Phase: { type: "status" },
      "Task status": { type: "status" },
      Parent: { type: "relation" },
    });
    expect(layout).toMatchObject({
      title: "Name",
      status: "Task status",
      assignee: "Assigned to",
      due: "Deadline",
      priority: "Priority",
      labels: "Labels",
      parent: "Parent",
      description: "Description",
    });
  });

  test("without usual names, the first of the right type counts, except for priority and parent", () => {
    const layout = layoutOf({
      Größe: { type: "select" },
      Bis: { type: "date" },
      Wer: { type: "people" },
      Fertig: { type: "checkbox" },
      Verweis: { type: "relation" },
    });
    expect(layout).toMatchObject({ status: "Fertig", due: "Bis", assignee: "Wer" });
    expect([layout.priority, layout.parent, layout.labels, layout.description]).toEqual(Array(4).fill(undefined));
  });

  test("a status means what the position of its group says, whatever the names are", () => {
    const groups = [{ option_ids: ["a"] }, { option_ids: ["b", "c"] }, { option_ids: ["d"] }];
    const layout = layoutOf({ Status: { type: "status", status: { groups } } });
    const categories = ["a", "b", "c", "d"].map((id) => categoryOf(layout, { id, name: "Done" }));
    expect(categories).toEqual(["todo", "in_progress", "in_progress", "done"]);
  });

  test.each([
    ["Not started", "todo"],
    ["in progress ", "in_progress"],
    ["Done", "done"],
    ["Idee", "todo"],
  ])("an option %s of a select, which has no groups, means %s", (name, expected) => {
    expect(categoryOf(layoutOf({ Status: { type: "select" } }), { id: "x", name })).toBe(expected);
  });
});

describe("rich text", () => {
  test("formats, links, mentions and line ends become Markdown", () => {
    const pieces = [
      { plain_text: "Ask " },
      { plain_text: "@Zoë", href: null },
      { plain_text: " about\r\n" },
      { plain_text: "it", annotations: { bold: true, italic: true } },
      { plain_text: ": " },
      { plain_text: "a*b", annotations: { code: true } },
      { plain_text: ", not *this*, " },
      { plain_text: "guide", href: "https://example.com/a" },
      { plain_text: " gone", annotations: { strikethrough: true } },
    ];
    expect(richTextToMarkdown(pieces)).toBe(
      "Ask @Zoë about  \n**_it_**: `a*b`, not \\*this\\*, [guide](https://example.com/a) ~~gone~~",
    );
    expect(plainText(pieces)).toContain("Ask @Zoë about\r\nit: a*b");
  });

  test("text that is blank or missing is null", () => {
    expect([[], [{ plain_text: " \n" }], null, undefined].map(richTextToMarkdown)).toEqual([null, null, null, null]);
  });
});

const page: NotionPage = {
  object: "page",
  id: "p1",
  url: "https://www.notion.so/p1",
  created_time: "2026-01-02T03:04:00.000Z",
  last_edited_time: "2026-02-03T04:05:00.000Z",
  parent: { data_source_id: "s1" },
  properties: {
    Name: { type: "title", title: [{ plain_text: "日本語 " }, { plain_text: "*x*" }] },
    Status: { type: "status", status: { id: "b", name: "In Prüfung" } },
    Due: { type: "date", date: { start: "2026-03-01T23:30:00.000+02:00" } },
    Assignee: { type: "people", people: [{ id: "u1" }, { id: "u2", name: "Zoë" }] },
  },
};

describe("tasks", () => {
  test("what a page does not have is null or empty", () => {
    const layout = layoutOf(page.properties as never);
    expect(toTask(page, layout)).toEqual({
      id: "p1",
      title: "日本語 *x*",
      description: null,
      status: "In Prüfung",
      status_category: "todo",
      project_id: "s1",
      assignee: { id: "u1", name: null },
      priority: null,
      labels: [],
      due_at: "2026-03-01T21:30:00.000Z",
      parent_id: null,
      url: "https://www.notion.so/p1",
      created_at: "2026-01-02T03:04:00.000Z",
      updated_at: "2026-02-03T04:05:00.000Z",
      completed_at: null,
    });
    const none = toTask({ ...page, properties: {} }, layout);
    expect([none.title, none.status, none.status_category, none.due_at, none.assignee]).toEqual([
      "",
      "",
      "todo",
      null,
      null,
    ]);
  });

  test("a checkbox is a status", () => {
    const layout = layoutOf({ Done: { type: "checkbox" } });
    const task = (checkbox: boolean) =>
      toTask({ ...page, properties: { Done: { type: "checkbox", checkbox } } }, layout);
    expect(task(true)).toMatchObject({ status: "Checked", status_category: "done" });
    expect(task(false)).toMatchObject({ status: "Unchecked", status_category: "todo" });
  });

  test("a comment without a known author name keeps the author's ID", () => {
    const comment = { id: "c1", rich_text: [], created_by: { id: "u1" }, created_time: "2026-01-02T03:04:00.000Z" };
    expect(toComment(comment)).toMatchObject({ text: null, author: { id: "u1", name: null } });
    expect(toComment({ ...comment, display_name: { resolved_name: "Zoë" } }).author).toEqual({ id: "u1", name: "Zoë" });
    expect(toComment({ ...comment, created_by: null }).author).toBeNull();
  });
});

describe("a query with more results than Notion returns", () => {
  const made = (id: string, minute: number): NotionPage => ({
    ...page,
    id,
    created_time: `2026-01-02T03:0${minute}:00.000Z`,
  });
  const cutOff: NotionPageOf<NotionPage> = {
    results: [made("a", 1), made("b", 2), made("c", 3), made("d", 3)],
    has_more: false,
    next_cursor: null,
    request_status: { type: "incomplete" },
  };

  test("a query with too many results continues from its last minute, whose pages are returned only then", () => {
    expect(pagesOf(cutOff).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(nextPosition(cutOff, { start_cursor: "x" })).toEqual({ since: "2026-01-02T03:03:00.000Z" });
  });

  test("a query fails instead of ending if more was created within one minute than Notion returns", () => {
    const position = { since: "2026-01-02T03:03:00.000Z", start_cursor: "x" };
    expect(() => nextPosition(cutOff, position)).toThrow("within one minute");
    expect(() => nextPosition({ ...cutOff, results: [] }, position)).toThrow("within one minute");
  });

  test("a query with too many results is read like any other before its last page, which need not say so again", () => {
    const body = { ...cutOff, has_more: true, next_cursor: "y" };
    expect(pagesOf(body)).toHaveLength(4);
    const last = "2026-01-02T03:03:00.000Z";
    const position = { since: "then", start_cursor: "y", incomplete: 1 as const, read: 4, last };
    expect(nextPosition(body, { since: "then" })).toEqual(position);
    const { request_status, ...silent } = cutOff;
    expect(nextPosition({ ...silent, has_more: true, next_cursor: "z" }, position)).toEqual({
      ...position,
      start_cursor: "z",
      read: 8,
    });
    expect(pagesOf(silent, position).map(({ id }) => id)).toEqual(["a", "b"]);
    expect(nextPosition(silent, position)).toEqual({ since: "2026-01-02T03:03:00.000Z" });
    expect(nextPosition({ results: cutOff.results, has_more: false, next_cursor: null })).toBeNull();
  });

  test.each([12, 100])("each page is returned once, in pages of %i, if a minute is on several of them", (size) => {
    const minuteOf = (index: number) => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 130) * 60_000).toISOString();
    const all = Array.from({ length: 25_000 }, (_, index) => ({
      ...page,
      id: `${index}`,
      created_time: minuteOf(index),
    }));
    const ids: string[] = [];
    let position: NonNullable<ReturnType<typeof nextPosition>> | undefined;
    do {
      const begin = position?.since ? all.findIndex(({ created_time }) => created_time >= position!.since!) : 0;
      const found = all.slice(begin, begin + 10_000);
      const start = Number(position?.start_cursor ?? 0);
      const has_more = start + size < found.length;
      const body = {
        results: found.slice(start, start + size),
        has_more,
        next_cursor: has_more ? String(start + size) : null,
        request_status: { type: begin + 10_000 < all.length ? "incomplete" : "complete" },
      };
      ids.push(...pagesOf(body, position).map(({ id }) => id));
      position = nextPosition(body, position) ?? undefined;
    } while (position);
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  test("a query that is cut off at a data source keeps the tasks of earlier minutes", () => {
    const source = { ...page, object: "data_source", created_time: "2026-01-02T00:02:00.000Z" };
    const body = { ...cutOff, results: [page, source] };
    expect(pagesOf(body)).toEqual([page]);
    expect(nextPosition(body)).toEqual({ since: source.created_time });
  });

  test("data sources in a wiki are not tasks", () => {
    expect(
      keptItems(
        notionTasks.operations.listTasks as AnyList,
        { results: [{ ...page, object: "data_source" }, page] },
        {} as AnyPageContext,
      ),
    ).toEqual([page]);
  });
});

test("the account is the user behind a bot, or the bot of a workspace", () => {
  const { record } = identity.operations.getMe as { record(body: object): unknown };
  const bot = { id: "b1", name: "Plugboard", avatar_url: null };
  const user = {
    id: "u1",
    name: "Sandra",
    avatar_url: "https://example.com/a.png",
    person: { email: "s@example.com" },
  };
  expect(record({ ...bot, bot: { owner: { type: "user", user } } })).toEqual({
    id: "u1",
    name: "Sandra",
    email: "s@example.com",
    avatar_url: "https://example.com/a.png",
  });
  const owner = { type: "workspace", workspace: true };
  expect(record({ ...bot, name: null, bot: { owner, workspace_name: "Sandbox" } })).toEqual({
    id: "b1",
    name: "Sandbox",
    email: null,
    avatar_url: null,
  });
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  const listTasks = operation("tasks.listTasks");
  const getTask = operation("tasks.getTask");
  let service: TestService;
  let client: Client;
  let all: Record<string, any>[];
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "notion")!);
    all = await client.walk(listTasks, {}, [100]);
  });
  afterAll(() => service?.close());

  test("data sources without a status are no projects, and their pages are no tasks", async () => {
    const projects = await client.walk(operation("tasks.listProjects"), {}, [100]);
    expect(projects.map(({ name }) => name)).toEqual(["Launch 🚀", "日本語のプロジェクト", "Einkäufe", ""]);
    expect(projects[0].description).toBe("Everything for  \nthe _launch_");
    expect(new Set(all.map(({ project_id }) => project_id))).toEqual(new Set(projects.slice(0, 3).map(({ id }) => id)));
  });

  test("`project_id` restricts the list to one data source's pages, over all of its pages", async () => {
    const projects = await client.walk(operation("tasks.listProjects"), {}, [100]);
    for (const { id } of projects) {
      const own = all.filter(({ project_id }) => project_id === id);
      expect(await client.walk(listTasks, {}, [7], { project_id: id })).toEqual(own);
    }
  });

  test("an invalid ID gets Notion's own error", async () => {
    for (const one of [getTask, operation("tasks.listComments")])
      expect((await client.call(one, { task_id: "none" })).body.code).toBe("validation_error");
  });

  test("a task is the same alone as in the list, in every kind of data source", async () => {
    const byProject = new Map(all.map((task) => [task.project_id, task]));
    expect(byProject.size).toBe(3);
    for (const task of byProject.values())
      expect((await client.call(getTask, { task_id: task.id })).body.response.data).toEqual(task);
  });

  test("tasks that were updated since a time are found by Notion's filter", async () => {
    const updated_since = all
      .map(({ updated_at }) => updated_at)
      .sort()
      .at(-5);
    const exchanges = await client.exchanges(async () => {
      const found = await client.walk(listTasks, {}, [100], { updated_since });
      expect(found).toHaveLength(5);
    });
    const queries = exchanges.filter(({ request }) => request.path.endsWith("/query"));
    expect(queries).toHaveLength(4);
    for (const { request } of queries)
      expect(request.body.filter).toEqual({
        and: [{ timestamp: "last_edited_time", last_edited_time: { on_or_after: updated_since } }],
      });
  });

  test("a search is for each word of the text in titles, together with the other conditions", async () => {
    const { title, updated_at: updated_since } = all.find(({ title }) => title.includes(" "))!;
    const exchanges = await client.exchanges(async () => {
      const found = await client.walk(listTasks, {}, [100], { query: title, updated_since });
      expect(found.map((task) => task.title)).toContain(title);
    });
    const { request } = exchanges.find(({ request }) => request.path.endsWith("/query"))!;
    expect(request.body.filter.and).toEqual([
      { timestamp: "last_edited_time", last_edited_time: { on_or_after: updated_since } },
      ...wordsOf(title).map((word) => ({ property: expect.any(String), title: { contains: word } })),
    ]);
  });

  test("the statuses of the tasks have every category, and trashed pages are left out", async () => {
    const meanings = new Map(all.map(({ status, status_category }) => [status, status_category]));
    expect(Object.fromEntries(meanings)).toEqual({
      "Not started": "todo",
      "In progress": "in_progress",
      "In Prüfung 🔎": "in_progress",
      Done: "done",
      Checked: "done",
      Unchecked: "todo",
      Idee: "todo",
      "": "todo",
    });
    expect(all.length).toBeLessThan(330);
  });
});
