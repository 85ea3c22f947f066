import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";

const operation = (id: string) => operations.find((known) => known.id === `tasks.${id}`)!;

let service: TestService;
let client: Client;
let launch: Record<string, any>;
let japanese: Record<string, any>;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest }) => manifest.id === "monday")!);
  [launch, japanese] = (await client.walk(operation("listProjects"), {}, [100])) as [any, any];
});
afterAll(() => service?.close());

const create = (body: object) => client.call(operation("createTask"), {}, {}, {}, body);
const update = (task_id: string, body: object) => client.call(operation("updateTask"), { task_id }, {}, {}, body);
const read = async (task_id: string) => (await client.call(operation("getTask"), { task_id })).body.response.data;
const tasksOf = (project_id: string) => client.walk(operation("listTasks"), {}, [100], { project_id });
const isMutation = ({ request }: { request: { body: any } }) => /^\s*mutation/.test(request.body.query);

const fields = {
  description: "Check *all*:\n\n- dates\n- amounts",
  status: "erledigt ✅",
  priority: "high",
  labels: ["Bug"],
  due_at: "2026-03-01T12:30:00+02:00",
};
const shown = {
  description: "Check all:\n\n\\- dates  \n\\- amounts",
  status: "Erledigt ✅",
  status_category: "done",
  priority: "High",
  labels: ["bug"],
  due_at: "2026-03-01T10:30:00.000Z",
};

test("a task is created with every field, and is in the list afterwards", async () => {
  const [{ assignee }] = (await tasksOf(launch.id)) as [Record<string, any>];
  const { body } = await create({ title: "Prüfung 👋", project_id: launch.id, assignee_id: assignee.id, ...fields });
  const task = body.response.data;
  expect(task).toMatchObject({ title: "Prüfung 👋", project_id: launch.id, parent_id: null, assignee, ...shown });
  expect(await read(task.id)).toEqual(task);
  expect((await tasksOf(launch.id)).at(-1)).toEqual(task);
});

test("a task of another task becomes its subitem, with the columns of the subitems' board", async () => {
  const { body: parent } = await create({ title: "Eltern", project_id: launch.id });
  const parent_id = parent.response.data.id;
  const { body } = await create({ title: "Kind", project_id: launch.id, parent_id, ...fields });
  expect(body.response.data).toMatchObject({ title: "Kind", project_id: launch.id, parent_id, ...shown });
  expect((await tasksOf(launch.id)).at(-1)).toEqual(body.response.data);
  const [detail] = (await create({ title: "Kind", project_id: japanese.id, parent_id })).body.errors;
  expect(detail.path).toEqual(["body", "parent_id"]);
});

test("a change leaves everything else as it is, and midnight is a day without a time", async () => {
  const { body } = await create({ title: "Alt", project_id: launch.id, ...fields });
  const { updated_at: _, ...before } = body.response.data;
  const exchanges = await client.exchanges(async () => {
    const change = { title: "Neu", status: "Stuck", due_at: "2026-03-01T00:00:00Z", project_id: launch.id };
    const { body: changed } = await update(before.id, change);
    expect(changed.response.data).toMatchObject({
      ...before,
      title: "Neu",
      status: "Stuck",
      status_category: "in_progress",
      due_at: "2026-03-01T00:00:00.000Z",
      completed_at: null,
    });
    expect(await read(before.id)).toEqual(changed.response.data);
  });
  expect(JSON.parse(exchanges.find(isMutation)!.request.body.variables.values)).toEqual({
    name: "Neu",
    status: { label: "Stuck" },
    date_due: { date: "2026-03-01" },
  });
});

test("an unknown status, priority or label lists the valid ones, and nothing is written", async () => {
  const before = await tasksOf(launch.id);
  const exchanges = await client.exchanges(async () => {
    for (const [field, value, valid] of [
      ["status", "Nope", '"Working on it", "Done", "Stuck", "Erledigt ✅", "Not Started"'],
      ["priority", "Nope", '"High", "Low"'],
      ["labels", ["Nope"], '"bug", "grüße 👋"'],
    ] as const)
      for (const { status, body } of [
        await create({ title: "x", project_id: launch.id, [field]: value }),
        await update(before[0].id, { [field]: value }),
      ]) {
        expect([status, body.errors[0].path]).toEqual([400, ["body", field]]);
        expect(body.errors[0].detail).toContain(valid);
      }
  });
  expect(exchanges.filter(isMutation)).toEqual([]);
  expect(await tasksOf(launch.id)).toEqual(before);
});

test("a missing project, a move and a field without a column are refused by name", async () => {
  const [missing] = (await create({ title: "x" })).body.errors;
  expect(missing.path).toEqual(["body", "project_id"]);
  expect(missing.detail).toContain("GET /v1/tasks/projects");
  const [task] = await tasksOf(japanese.id);
  for (const change of [{ project_id: launch.id }, { parent_id: "1" }, { status: "Done" }, { labels: ["bug"] }])
    expect((await update(task.id, change)).body.errors[0].path).toEqual(["body", Object.keys(change)[0]]);
});

test("a board without dates takes a due date as its timeline", async () => {
  const { body } = await create({ title: "x", project_id: japanese.id, due_at: "2026-03-01T12:30:00Z" });
  expect(body.response.data.due_at).toBe("2026-03-01T00:00:00.000Z");
});

test("an unknown board, item or person is a 404 or monday.com's own error", async () => {
  expect((await create({ title: "x", project_id: "1" })).status).toBe(404);
  expect((await update("1", { title: "x" })).status).toBe(404);
  const byPerson = await create({ title: "x", project_id: launch.id, assignee_id: "5" });
  expect([byPerson.status, byPerson.body.errors[0].extensions.code]).toEqual([400, "ColumnValueException"]);
});

test("a comment is written as HTML, and is the first of the list", async () => {
  const [{ id: task_id }] = (await tasksOf(launch.id)) as [Record<string, any>];
  const text = "Done, see [the report](https://example.com/report) ✅\n\n- one\n- two";
  const { body } = await client.call(operation("createComment"), { task_id }, {}, {}, { text });
  expect(body.response.data).toMatchObject({ text, author: { name: "Sandra Box" } });
  const comments = await client.walk(operation("listComments"), { task_id }, [100]);
  expect(comments[0]).toEqual(body.response.data);
});
