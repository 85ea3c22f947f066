import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import { type LinearComment, type LinearIssue, toComment, toProject, toTask } from "./records.ts";

const issue: LinearIssue = {
  id: "3f1c",
  title: "日本語 👩‍👩‍👧",
  description: "**Markdown**",
  url: "https://linear.app/acme/issue/ENG-1",
  priority: 2,
  priorityLabel: "High",
  dueDate: "2026-03-01",
  createdAt: "2026-01-02T03:04:05.678Z",
  updatedAt: "2026-02-03T04:05:06.000+02:00",
  completedAt: null,
  canceledAt: null,
  state: { name: "In Prüfung", type: "started" },
  project: { id: "p1" },
  assignee: { id: "u1", name: "Jürgen Groß" },
  parent: { id: "3f1b" },
  labels: { nodes: [{ name: "Bug" }, { name: "grüße" }] },
};

describe("tasks", () => {
  test("a task has its state's name, the names of its labels and its times in UTC", () => {
    expect(toTask(issue)).toEqual({
      id: "3f1c",
      title: "日本語 👩‍👩‍👧",
      description: "**Markdown**",
      status: "In Prüfung",
      status_category: "in_progress",
      project_id: "p1",
      assignee: { id: "u1", name: "Jürgen Groß" },
      priority: "High",
      labels: ["Bug", "grüße"],
      due_at: "2026-03-01T00:00:00.000Z",
      parent_id: "3f1b",
      url: "https://linear.app/acme/issue/ENG-1",
      created_at: "2026-01-02T03:04:05.678Z",
      updated_at: "2026-02-03T02:05:06.000Z",
      completed_at: null,
    });
  });

  test("what an issue does not have is null, not a missing key", () => {
    const { description, dueDate, project, assignee, parent, ...bare } = issue;
    const nothing = { description: null, due_at: null, project_id: null, assignee: null, parent_id: null };
    expect(toTask({ ...bare, labels: { nodes: [] } })).toMatchObject({ ...nothing, labels: [] });
    const nulls = { description: null, dueDate: null, project: null, assignee: null, parent: null };
    expect(toTask({ ...issue, ...nulls })).toMatchObject(nothing);
    expect(toTask({ ...issue, description: "" }).description).toBeNull();
    expect(toTask({ ...issue, description: "**one**\r\ntwo\n" }).description).toBe("**one**\ntwo");
  });

  test("Linear's name for having no priority is no priority", () => {
    expect(toTask({ ...issue, priority: 0, priorityLabel: "No priority" }).priority).toBeNull();
  });

  test.each([
    ["triage", "todo"],
    ["backlog", "todo"],
    ["unstarted", "todo"],
    ["started", "in_progress"],
    ["completed", "done"],
    ["canceled", "done"],
    ["duplicate", "done"],
    ["future", "todo"],
  ])("a state of the type %s means %s", (type, expected) => {
    expect(toTask({ ...issue, state: { name: "x", type } }).status_category).toBe(expected);
  });

  test("a canceled task was completed when it was canceled", () => {
    const canceledAt = "2026-02-02T00:00:00.000Z";
    expect(toTask({ ...issue, canceledAt }).completed_at).toBe(canceledAt);
    expect(toTask({ ...issue, completedAt: "2026-01-01T00:00:00.000Z", canceledAt }).completed_at).toBe(
      "2026-01-01T00:00:00.000Z",
    );
  });
});

test("a project's description is shown as it was typed, or null if it is blank", () => {
  const project = {
    id: "p1",
    name: "Launch",
    description: "not *bold*",
    url: "https://linear.app/acme/project/launch",
  };
  expect(toProject(project)).toEqual({ ...project, description: "not \\*bold\\*" });
  expect(toProject({ ...project, description: " " })).toEqual({ ...project, description: null });
});

describe("comments", () => {
  const comment: LinearComment = { id: "c1", body: "Yes", createdAt: "2026-01-02T03:04:05.678Z" };
  const user = { id: "u1", name: "Jürgen Groß" };
  const externalUser = { id: "e1", name: "Zoë in Slack" };
  const botActor = { id: null, name: "GitHub" };

  test.each([
    ["a member", { user, botActor: null }, user],
    ["somebody in another service", { user: null, externalUser, botActor }, externalUser],
    ["a bot", { user: null, externalUser: null, botActor }, botActor],
    ["a deleted account", { user: null, externalUser: null, botActor: null }, null],
  ])("the author of a comment can be %s", (_, authors, expected) => {
    expect(toComment({ ...comment, ...authors })).toEqual({
      id: "c1",
      text: "Yes",
      author: expected,
      created_at: "2026-01-02T03:04:05.678Z",
    });
  });
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  const listTasks = operation("tasks.listTasks");
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "linear")!);
  });
  afterAll(() => service?.close());

  test("`project_id` restricts the list to one project's tasks, over all of its pages", async () => {
    const [first, second] = await client.walk(operation("tasks.listProjects"), {}, [100]);
    const all = await client.walk(listTasks, {}, [100]);
    for (const { id } of [first, second]) {
      const own = all.filter(({ project_id }) => project_id === id);
      expect(own.length).toBeGreaterThan(20);
      const params = JSON.stringify({ project: "another" });
      expect(await client.walk(listTasks, {}, [7], { project_id: id, params })).toEqual(own);
    }
  });

  test("tasks that were updated since a time are found by Linear's filter, in a project as well", async () => {
    const all = await client.walk(listTasks, {}, [100]);
    const times = all.map(({ updated_at }) => updated_at).sort();
    const updated_since = times.at(-5);
    const queries: Record<string, string>[] = [{ updated_since }, { updated_since, project_id: all[0].project_id }];
    for (const query of queries) {
      const exchanges = await client.exchanges(async () => {
        const found = await client.walk(listTasks, {}, [100], query);
        expect(found.length).toBeGreaterThan(0);
        expect(found.every(({ updated_at }) => updated_at >= updated_since)).toBe(true);
      });
      expect(exchanges.map(({ request }) => request.body.variables.filter)).toEqual([
        { updatedAt: { gte: updated_since } },
      ]);
    }
  });

  test("a task can be read by its identifier", async () => {
    const [first] = (await client.call(listTasks, {}, { limit: 1 })).body.response.data;
    const identifier = first.url.split("/").at(-2);
    const { body } = await client.call(operation("tasks.getTask"), { task_id: identifier });
    expect(body.response.data).toEqual(first);
  });
});
