import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import { type JiraIssue, toComment, toProject, toTask } from "./records.ts";
import jiraTasks, { type JiraPage, tasksJql } from "./tasks.ts";

const paragraph = (text: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text }] }],
});

const issue: JiraIssue = {
  id: "10002",
  key: "ED-1",
  fields: {
    summary: "Grüße 👋",
    status: { name: "In Prüfung", statusCategory: { key: "indeterminate" } },
    description: paragraph("Main flow broken"),
    project: { id: "10000" },
    assignee: { accountId: "5b10", displayName: "Zoë Müller" },
    priority: { name: "Medium" },
    labels: ["grüße"],
    duedate: "2026-05-11",
    parent: { id: "10001" },
    created: "2026-04-28T15:33:15.438+0200",
    updated: "2026-04-29T00:03:00.000-0330",
    resolutiondate: "2026-04-30T12:00:00.000+0200",
  },
};
const bySite = { settings: { site: "acme" } };

describe("tasks", () => {
  test("a task has its status name, its description as Markdown, and times in UTC from offsets without a colon", () => {
    expect(toTask(issue, bySite)).toEqual({
      id: "10002",
      title: "Grüße 👋",
      description: "Main flow broken",
      status: "In Prüfung",
      status_category: "in_progress",
      project_id: "10000",
      assignee: { id: "5b10", name: "Zoë Müller" },
      priority: "Medium",
      labels: ["grüße"],
      due_at: "2026-05-11T00:00:00.000Z",
      parent_id: "10001",
      url: "https://acme.atlassian.net/browse/ED-1",
      created_at: "2026-04-28T13:33:15.438Z",
      updated_at: "2026-04-29T03:33:00.000Z",
      completed_at: "2026-04-30T10:00:00.000Z",
    });
  });

  test.each([
    ["new", "todo"],
    ["indeterminate", "in_progress"],
    ["done", "done"],
    ["undefined", "todo"],
    ["future", "todo"],
    [undefined, "todo"],
  ])("a status of the category %s means %s", (key, expected) => {
    const status = { name: "完了", statusCategory: key === undefined ? null : { key } };
    expect(toTask({ ...issue, fields: { status } }, bySite)).toMatchObject({
      status: "完了",
      status_category: expected,
    });
  });

  test("a description with headings, marks, code and links becomes Markdown", () => {
    const text = (value: string, ...marks: object[]) => ({ type: "text", text: value, marks });
    const link = (href: string) => ({ type: "link", attrs: { href } });
    const description = {
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 2 }, content: [text("見出し")] },
        {
          type: "paragraph",
          content: [
            { type: "mention", attrs: { id: "5b10", text: "@Zoë" } },
            text(" press "),
            text("Save", { type: "strong" }),
            text(" "),
            text("here", link("https://example.com/guide")),
            text(" or "),
            text("nowhere", link("")),
          ],
        },
        { type: "codeBlock", attrs: { language: "sql" }, content: [text("SELECT *;")] },
      ],
    };
    expect(toTask({ ...issue, fields: { description } }, bySite).description).toBe(
      "## 見出し\n\n@Zoë press **Save** [here](https://example.com/guide) or nowhere\n\n```sql\nSELECT *;\n```",
    );
  });

  test("a task of an OAuth connection links to the discovered site, whatever its domain", () => {
    const byOAuth = { settings: { cloud_id: "x", site_url: "https://acme.jira.com" } };
    expect(toTask(issue, byOAuth).url).toBe("https://acme.jira.com/browse/ED-1");
  });

  test("a task can be made from empty fields and from fields that the client did not request", () => {
    const empty = {
      summary: null,
      status: null,
      description: null,
      assignee: null,
      priority: null,
      labels: null,
      duedate: null,
      resolutiondate: null,
      created: "2026-01-01T00:00:00.000+0000",
    };
    expect(toTask({ ...issue, fields: empty }, bySite)).toMatchObject({
      title: "ED-1",
      status: "",
      description: null,
      assignee: null,
      priority: null,
      labels: [],
      due_at: null,
      parent_id: null,
      completed_at: null,
      updated_at: "2026-01-01T00:00:00.000Z",
    });
    expect(toTask({ id: "10002" }, bySite)).toMatchObject({ id: "10002", title: "10002", project_id: null });
  });
});

test("a project links to its page, and its description is shown as it was typed, or null if it is empty", () => {
  const project = { id: "10000", key: "ED", name: "Grüße", description: "not *bold*\r\n# not a heading" };
  expect(toProject(project, bySite)).toEqual({
    id: "10000",
    name: "Grüße",
    description: "not \\*bold\\*  \n\\# not a heading",
    url: "https://acme.atlassian.net/browse/ED",
  });
  expect(toProject({ ...project, description: "" }, bySite).description).toBeNull();
});

test("a comment without an author or a body has null in their place", () => {
  expect(toComment({ id: "1", body: paragraph("Ja"), author: { accountId: "5b10", displayName: " " } })).toEqual({
    id: "1",
    text: "Ja",
    author: { id: "5b10", name: null },
    created_at: null,
  });
  expect(toComment({ id: "1" })).toMatchObject({ text: null, author: null });
});

test("a page without a token, or marked as the last, has no next page", () => {
  const { next } = jiraTasks.operations.listTasks as AnyList;
  const nextOf = (page: Omit<JiraPage, "issues">) =>
    next({ status: 200, headers: {}, body: { issues: [], ...page } }, {} as AnyPageContext) ?? null;
  expect(nextOf({ isLast: false, nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ nextPageToken: "abc" })).toBe("abc");
  expect(nextOf({ isLast: true })).toBeNull();
  expect(nextOf({ isLast: true, nextPageToken: "abc" })).toBeNull();
  expect(nextOf({})).toBeNull();
});

describe("the search", () => {
  test("a search is always restricted", () => {
    expect(tasksJql({})).toBe("project is not EMPTY ORDER BY created DESC");
  });

  test("a search for updates starts early enough for a user whose clock is 12 hours behind UTC", () => {
    expect(tasksJql({ updated_since: "2026-01-31T10:00:59.999Z" })).toBe(
      'updated >= "2026-01-30 22:00" ORDER BY created DESC',
    );
  });

  test("a project's ID is sent as a number, and anything else is quoted so that it cannot change the search", () => {
    expect(tasksJql({ project_id: "10000", updated_since: "2026-01-31T12:00:00.000Z" })).toBe(
      'project = 10000 AND updated >= "2026-01-31 00:00" ORDER BY created DESC',
    );
    expect(tasksJql({ assignee_id: '5b" OR assignee is not EMPTY' })).toBe(
      'assignee = "5b\\" OR assignee is not EMPTY" ORDER BY created DESC',
    );
    expect(tasksJql({ project_id: 'ED" OR "\\' })).toBe('project = "ED\\" OR \\"\\\\" ORDER BY created DESC');
  });
});

test.each([
  ["Prüfung 日本語 100%", '"prüfung 日本語 100%"'],
  ["a AND NOT b", '"a and not b"'],
  ['say "hi"', String.raw`"say \\\"hi\\\""`],
  [String.raw`C:\temp`, String.raw`"c\\:\\\\temp"`],
  ["(a*b)?", String.raw`"\\(a\\*b\\)\\?"`],
])("nothing in the text of a search for %s is an operator", (query, text) => {
  expect(tasksJql({ query })).toBe(`text ~ ${text} ORDER BY created DESC`);
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  const listTasks = operation("tasks.listTasks");
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "jira")!);
  });
  afterAll(() => service?.close());

  test("`project_id` restricts the list to one project's tasks, even against a client's own search", async () => {
    const [, second] = await client.walk(operation("tasks.listProjects"), {}, [100]);
    const all = await client.walk(listTasks, {}, [100]);
    const own = all.filter(({ project_id }) => project_id === second.id);
    expect(own.length).toBeGreaterThan(20);
    expect(await client.walk(listTasks, {}, [100], { project_id: second.id })).toEqual(own);
    const params = JSON.stringify({ jql: "project is not EMPTY" });
    expect(await client.walk(listTasks, {}, [100], { project_id: second.id, params })).toEqual(own);
  });

  test("a project that Jira does not know has no tasks, whatever it is called", async () => {
    const { status, body } = await client.call(listTasks, {}, { project_id: 'none" OR project is not EMPTY' });
    expect([status, body.response.data]).toEqual([200, []]);
  });

  test("tasks that were updated since a time are found by Jira's search, not by reading everything", async () => {
    const [newest] = (await client.walk(listTasks, {}, [100]))
      .map(({ updated_at }) => updated_at)
      .sort((a, b) => (a < b ? 1 : -1));
    let found: any[] = [];
    const exchanges = await client.exchanges(async () => {
      found = await client.walk(listTasks, {}, [100], { updated_since: newest });
    });
    expect(found.map(({ updated_at }) => updated_at)).toEqual([newest]);
    expect(exchanges).toHaveLength(1);
    // Wider than asked for by the zones, and no wider.
    expect((exchanges[0]!.reply.body as JiraPage).issues.length).toBeLessThan(20);
  });

  test("a task can be read by its key", async () => {
    const [first] = (await client.call(listTasks, {}, { limit: 1 })).body.response.data;
    const key = first.url.split("/").at(-1);
    const found = await client.call(operation("tasks.getTask"), { task_id: key });
    expect(found.body.response.data).toEqual(first);
  });

  test("a status that the workflow does not lead to is refused in a change, and a new task keeps its initial one", async () => {
    const write = (name: string, params: Record<string, string>, body: object) =>
      client.call(operation(`tasks.${name}`), params, {}, {}, body);
    const unreachable = { status: "Ohne Kategorie" };
    const created = await write("createTask", {}, { title: "x", project_id: "SAND", ...unreachable });
    expect([created.status, created.body.response.data.status]).toEqual([200, "To Do"]);
    const params = { task_id: created.body.response.data.id };
    const refused = await write("updateTask", params, { title: "y", ...unreachable });
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      400,
      expect.stringContaining('must be one of "To Do", "In Prüfung", "完了"'),
    ]);
    expect((await write("updateTask", params, { status: "完了" })).status).toBe(200);
    const { data } = (await write("updateTask", params, { title: "z", ...unreachable })).body.response;
    expect(data).toMatchObject({ title: "z", ...unreachable });
  });

  test("a task is not moved to another project: Jira would ignore it", async () => {
    const [first] = (await client.call(listTasks, {}, { limit: 1 })).body.response.data;
    const update = operation("tasks.updateTask");
    const { status, body } = await client.call(update, { task_id: first.id }, {}, {}, { project_id: "ZERO" });
    expect([status, body.errors[0].path]).toEqual([400, ["body", "project_id"]]);
  });
});
