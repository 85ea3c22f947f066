import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [] });
});
afterAll(() => service.close());

const operation = (id: string) => operations.find((operation) => operation.id === id)!;
const state = makeState();

test("project_id lists exactly the tasks of that project, those that are in several projects included", async () => {
  const [, shared] = state.projects;
  const found = await client.walk(operation("tasks.listTasks"), {}, [50], { project_id: shared!.gid });
  const wanted = state.tasks.filter(({ projects }) => projects.some(({ gid }) => gid === shared!.gid));
  expect(found.map(({ id }) => id).sort()).toEqual(wanted.map(({ gid }) => gid).sort());
  expect(wanted.some(({ projects }) => projects[0]!.gid !== shared!.gid)).toBe(true);
});

test("updated_since is passed on, so that no page of older tasks is read", async () => {
  const [project] = state.projects;
  const modified = state.tasks
    .filter(({ projects }) => projects.some(({ gid }) => gid === project!.gid))
    .map((task) => task.modified_at);
  const updated_since = modified.toSorted().at(-10)!;
  const seen = await client.exchanges(async () => {
    const { body } = await client.call(operation("tasks.listTasks"), {}, { project_id: project!.gid, updated_since });
    expect(body.response.data).toHaveLength(10);
  });
  expect(seen.map(({ request }) => request.query.get("modified_since"))).toEqual([updated_since]);
});

test("only comments are listed, not the other stories of a task", async () => {
  const [task] = state.tasks;
  const stories = state.stories.get(task!.gid)!;
  const found = await client.walk(operation("tasks.listComments"), { task_id: task!.gid }, [100]);
  expect(found.map(({ id }) => id)).toEqual(stories.filter(({ type }) => type === "comment").map(({ gid }) => gid));
  expect(found.some(({ text }) => text === null)).toBe(true);
  expect(found.some(({ text }) => text?.startsWith("@Zoë Müller please"))).toBe(true);
});

test("custom fields that the connection may not read are an error, and a workspace that does not pay has none", async () => {
  const list = operation("tasks.listTasks");
  const fields = () => client.call({ ...list, route: `${list.route}/fields` }, {});
  await client.fault({ status: 403, path: "/custom_fields", times: 1 });
  expect((await fields()).status).toBe(403);
  await client.fault({ status: 402, path: "/custom_fields", times: 1 });
  const { status, body } = await fields();
  expect([status, body.response.data.some(({ path }: any) => path.startsWith("/custom_fields"))]).toEqual([200, false]);
});

test("a task of several projects moves out of its first one, and writing the same project again changes nothing", async () => {
  const task = state.tasks.find(({ projects }) => projects.length > 1)!;
  const target = state.projects.find(({ gid }) => task.projects.every((project) => project.gid !== gid))!;
  const moves = async () => {
    const body = { project_id: target.gid };
    const seen = await client.exchanges(async () => {
      expect((await client.call(operation("tasks.updateTask"), { task_id: task.gid }, {}, {}, body)).status).toBe(200);
    });
    return seen.filter(({ request }) => request.method === "POST").map(({ request }) => request.path.split("/").at(-1));
  };
  expect(await moves()).toEqual(["addProject", "removeProject"]);
  expect(await moves()).toEqual([]);
});
