import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";

const operation = (id: string) => operations.find((known) => known.id === `tasks.${id}`)!;
const [createTask, updateTask, getTask, listTasks] = ["createTask", "updateTask", "getTask", "listTasks"].map(
  operation,
);

let service: TestService;
let client: Client;
let teams: Record<string, any>[];
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest }) => manifest.id === "shortcut")!);
  teams = await client.walk(operation("listProjects"), {}, [100]);
});
afterAll(() => service?.close());

const create = (body: object) => client.call(createTask!, {}, {}, {}, body);
const update = (task_id: string, body: object) => client.call(updateTask!, { task_id }, {}, {}, body);
const read = async (task_id: string) => (await client.call(getTask!, { task_id })).body.response.data;
const first = async () => (await client.call(listTasks!, {}, { limit: 1 })).body.response.data[0];

test("a task is created with every field, and is the first of the list afterwards", async () => {
  const tasks = (await client.call(listTasks!, {}, { limit: 10 })).body.response.data;
  const parent = tasks.find(({ assignee }: Record<string, any>) => assignee);
  const assignee_id = parent.assignee.id;
  const { body } = await create({
    title: "Prüfung 👋",
    project_id: teams[1]!.id,
    description: "Check *all*:\n\n- dates\n- amounts",
    status: "in prüfung 🔎",
    assignee_id,
    labels: ["bug", "neu"],
    due_at: "2026-03-01T12:30:00+02:00",
    parent_id: parent.id,
  });
  const task = body.response.data;
  expect(task).toMatchObject({
    title: "Prüfung 👋",
    description: "Check *all*:\n\n- dates\n- amounts",
    status: "In Prüfung 🔎",
    status_category: "in_progress",
    project_id: teams[1]!.id,
    assignee: { id: assignee_id, name: parent.assignee.name },
    labels: ["bug", "neu"],
    due_at: "2026-03-01T10:30:00.000Z",
    parent_id: parent.id,
  });
  expect(await read(task.id)).toEqual(task);
  expect(await first()).toEqual(task);
});

test("a task without a project and a status is in the workspace's workflow", async () => {
  const { title, status, project_id } = (await create({ title: "Allein" })).body.response.data;
  expect({ title, status, project_id }).toEqual({ title: "Allein", status: "Backlog", project_id: null });
});

test("a change leaves everything else as it is", async () => {
  const { body } = await create({ title: "Alt", description: "Text", labels: ["bug"], project_id: teams[0]!.id });
  const { updated_at: _, ...before } = body.response.data;
  const { body: changed } = await update(before.id, { title: "Neu", status: "Done", project_id: teams[1]!.id });
  expect(changed.response.data).toMatchObject({
    ...before,
    title: "Neu",
    status: "Done",
    status_category: "done",
    project_id: teams[1]!.id,
    completed_at: expect.any(String),
  });
  expect(await read(before.id)).toEqual(changed.response.data);
});

test("an unknown status and any priority are refused with the valid ones, and nothing is written", async () => {
  const task = await first();
  const seen = await client.requests(async () => {
    for (const answer of [await create({ title: "x", status: "Nope" }), await update(task.id, { status: "Nope" })]) {
      const [{ path, detail }] = answer.body.errors;
      expect([answer.status, path]).toEqual([400, ["body", "status"]]);
      expect(detail).toContain('"Backlog", "To Do", "In Progress", "In Prüfung 🔎", "Done"');
    }
    const [{ path }] = (await update(task.id, { priority: "High" })).body.errors;
    expect(path).toEqual(["body", "priority"]);
  });
  expect(seen.every(({ method }) => method === "GET")).toBe(true);
  expect(await first()).toEqual(task);
});

test("what Shortcut itself refuses is its own error", async () => {
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect((await create({ title: "x", project_id: unknown })).body.message).toBe("Resource not found.");
  const byOwner = await create({ title: "x", assignee_id: unknown });
  expect([byOwner.status, byOwner.body.message]).toEqual([422, "owner_ids: no such member"]);
  expect((await update("99999", { title: "x" })).status).toBe(404);
});

test("a comment is written as the token's own member, and is the last of the list", async () => {
  const { id: task_id } = await first();
  const text = "Done, see [the report](https://example.com/report) ✅";
  const { body } = await client.call(operation("createComment"), { task_id }, {}, {}, { text });
  expect(body.response.data).toMatchObject({ text, author: { name: "Sandra Box" } });
  const comments = await client.walk(operation("listComments"), { task_id }, [100]);
  expect(comments.at(-1)).toEqual(body.response.data);
});
