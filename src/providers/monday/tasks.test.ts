import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import { type MondayValue, readColumns } from "./columns.ts";
import { toComment, toTask } from "./records.ts";

const value = (type: string, title: string, rest: Partial<MondayValue> = {}): MondayValue => ({
  type,
  column: { title },
  ...rest,
});

describe("columns", () => {
  test("a column with a usual name counts before the first of its type", () => {
    const columns = readColumns([
      value("status", "Risk", { label: "High" }),
      value("status", "Task status", { label: "Fertig", is_done: true, updated_at: "2026-02-03T04:05:06Z" }),
      value("status", "Priority", { label: "Critical" }),
      value("date", "Start", { date: "2026-01-01" }),
      value("date", "Deadline", { date: "2026-03-01", time: "22:30:00" }),
      value("people", "Reviewer", { persons_and_teams: [{ id: "1", kind: "person" }], text: "Ada" }),
      value("people", "Owner", { persons_and_teams: [{ id: "2", kind: "person" }], text: "Groß, Jürgen" }),
      value("tags", "Tags", { tags: [{ name: "bug" }] }),
      value("long_text", "Log", { text: "no" }),
      value("long_text", "Description", { text: "1. not\r\na *list*" }),
    ]);
    expect(columns).toEqual({
      status: "Fertig",
      status_category: "done",
      completed_at: "2026-02-03T04:05:06.000Z",
      priority: "Critical",
      assignee: { id: "2", name: "Groß, Jürgen" },
      due_at: "2026-03-01T22:30:00.000Z",
      labels: ["bug"],
      description: "1\\. not  \na \\*list\\*",
    });
  });

  test("what a board has no column for is null or empty", () => {
    expect(readColumns([])).toEqual({
      status: "",
      status_category: "todo",
      completed_at: null,
      priority: null,
      assignee: null,
      due_at: null,
      labels: [],
      description: null,
    });
    expect(readColumns([value("status", "Priority", { label: "High" })]).status).toBe("");
  });

  test.each([
    ["Working on it", false, "in_progress"],
    ["Stuck", null, "in_progress"],
    ["Erledigt", true, "done"],
    ["Not Started", false, "todo"],
    ["To-do", false, "todo"],
    [null, null, "todo"],
    ["", false, "todo"],
  ])("a status %s that counts as done: %s means %s", (label, is_done, expected) => {
    expect(readColumns([value("status", "Status", { label, is_done })]).status_category).toBe(expected);
  });

  test("the first person is the assignee, not a team, and has a name only if the text leaves no doubt", () => {
    const assignee = (text: string, ...kinds: string[]) =>
      readColumns([
        value("people", "Owner", { text, persons_and_teams: kinds.map((kind, index) => ({ id: `${index}`, kind })) }),
      ]).assignee;
    expect(assignee("Rockets, Zoë", "team", "person")).toEqual({ id: "1", name: "Zoë" });
    expect(assignee("Rockets, Groß, Jürgen", "team", "person")).toEqual({ id: "1", name: null });
    expect(assignee("Rockets", "team")).toBeNull();
    expect(assignee("")).toBeNull();
  });

  test("a timeline's end is the due date of a board without dates", () => {
    expect(readColumns([value("timeline", "Zeitraum", { to: "2026-03-01" })]).due_at).toBe("2026-03-01T00:00:00.000Z");
  });
});

test("a subitem belongs to the board of its parent", () => {
  const item = { id: "1", name: "x", url: "https://acme.monday.com/1", column_values: [], board: { id: "sub" } };
  expect(toTask(item)).toMatchObject({ project_id: "sub", parent_id: null });
  const parent_item = { id: "2", board: { id: "main" } };
  expect(toTask({ ...item, parent_item })).toMatchObject({ project_id: "main", parent_id: "2" });
});

test("a comment's HTML becomes Markdown, and its author may be unknown", () => {
  const body = '\uFEFF<p>Hi <a href="https://acme.monday.com/users/1">@Zoë</a>&nbsp;<strong>now</strong></p>';
  expect(toComment({ id: "1", body, created_at: "2026-01-02T03:04:05Z", creator: null })).toEqual({
    id: "1",
    text: "Hi [@Zoë](https://acme.monday.com/users/1) **now**",
    author: null,
    created_at: "2026-01-02T03:04:05.000Z",
  });
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  const listTasks = operation("tasks.listTasks");
  const getTask = operation("tasks.getTask");
  const listComments = operation("tasks.listComments");
  let service: TestService;
  let client: Client;
  let all: Record<string, any>[];
  let projects: Record<string, any>[];
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "monday")!);
    all = await client.walk(listTasks, {}, [100]);
    projects = await client.walk(operation("tasks.listProjects"), {}, [100]);
  });
  afterAll(() => service?.close());

  test("documents, boards of subitems and archived boards are no projects", () => {
    expect(projects.map(({ name }) => name)).toEqual(["Launch 🚀", "日本語のボード", "Empty", "Grüße & Co"]);
    expect(projects.map(({ description }) => description)).toEqual([
      "Everything for  \nthe \\*launch\\*",
      null,
      null,
      "1\\. \\<b>not\\</b> a list",
    ]);
  });

  test("`project_id` restricts the list to one board's items and subitems, whatever `params` say", async () => {
    for (const { id } of projects) {
      const own = all.filter(({ project_id }) => project_id === id);
      const query = { project_id: id, params: JSON.stringify({ board: "1", limit: 1 }) };
      expect(await client.walk(listTasks, {}, [7], query)).toEqual(own);
    }
    expect(new Set(all.map(({ project_id }) => project_id))).toEqual(
      new Set(projects.filter(({ name }) => name !== "Empty").map(({ id }) => id)),
    );
  });

  test("every subitem follows its parent", () => {
    const subitems = all.filter(({ parent_id }) => parent_id);
    expect(subitems.length).toBeGreaterThan(20);
    for (const { id, parent_id } of subitems)
      expect(all[all.findIndex((task) => task.id === id) - 1]!.id).toBe(parent_id);
  });

  test("an invalid ID is monday.com's own error", async () => {
    for (const one of [getTask, listComments]) {
      const { status, body } = await client.call(one, { task_id: "none" });
      expect([status, body.errors[0].extensions.code]).toEqual([400, "InvalidArgumentException"]);
    }
  });

  test("a task is the same alone as in the list, a subitem as well", async () => {
    const subitem = all.find(({ parent_id }) => parent_id)!;
    for (const task of [all[0]!, subitem, all.at(-1)!])
      expect((await client.call(getTask, { task_id: task.id })).body.response.data).toEqual(task);
  });

  test("the replies to an update are comments as well", async () => {
    const comments = await client.walk(listComments, { task_id: all[0]!.id }, [7]);
    expect(comments).toHaveLength(270 + 54 * 2);
    expect(new Set(comments.map(({ text }) => text))).toContain(
      "see [the guide](https://example.com/guide?a=1&b=2)  \nsecond line",
    );
  });
});
