// Tasks and comments that are written through the Unified API, and read back through it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../support/contract/index.ts";
import { startService, type TestService } from "../support/service.ts";

const operation = (name: string) => operations.find(({ id }) => id === `tasks.${name}`)!;
/** Their texts, labels or containers differ so much that their round trips are beside them: `writes.test.ts`. */
const TESTED_BESIDE = ["monday", "notion", "shortcut"];
const writing = providers
  .filter(({ categories }) => categories.some(({ operations: own }) => own.createTask))
  .filter(({ manifest }) => !TESTED_BESIDE.includes(manifest.id));

const evidence = await loadEvidence();
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

const markdown = "Grüße 👋\n\n- **one**\n- `two`\n\nlast, with a [link](https://example.com/?a=1&b=2)";
const due_at = "2027-02-03T00:00:00.000Z";

describe.each(writing.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  let client: Client;
  let project_id: string;
  let tasks: any[];
  beforeAll(async () => {
    client = createClient(service, provider);
    project_id = (await client.call(operation("listProjects"), {}, { limit: 1 })).body.response.data[0].id;
    tasks = await client.walk(operation("listTasks"), {}, [100], { project_id });
  });

  const create = (body: object) => client.call(operation("createTask"), {}, {}, {}, body);
  const update = (task_id: string, body: object) => client.call(operation("updateTask"), { task_id }, {}, {}, body);
  const read = async (task_id: string) =>
    (await client.call(operation("getTask"), { task_id })).body.response.data as any;
  const newest = async () =>
    (await client.walk(operation("listTasks"), {}, [100], { project_id })).map((task) => task.title);

  /** The fields of tasks that this provider has at all. */
  const has = (field: string) => provider.fields!["tasks.listTasks"]!.includes(field);

  /** Values that tasks of the project have already: the first ones, or others. */
  function knownValues(position: 0 | -1) {
    const known = (pick: (task: any) => unknown) => [...new Set(tasks.map(pick).filter(Boolean))].at(position);
    return {
      status: known(({ status }) => status),
      ...(has("assignee") && { assignee_id: known(({ assignee }) => assignee?.id) }),
      ...(has("priority") && { priority: known(({ priority }) => priority) }),
      ...(has("labels") && { labels: [known(({ labels }) => labels.at(position))] }),
      ...(has("parent_id") && { parent_id: tasks.filter(({ parent_id }) => parent_id === null).at(position).id }),
    };
  }

  /** What a written task looks like when it is read. */
  const expected = ({ assignee_id, ...others }: Record<string, unknown>) => ({
    ...others,
    ...(assignee_id === undefined ? {} : { assignee: expect.objectContaining({ id: assignee_id }) }),
  });

  it(`a task written to ${id} with every field is read back with the same meaning`, async () => {
    const body = { title: "Größe & <b>", project_id, description: markdown, due_at, ...knownValues(0) };
    const created = await create(body);
    expect([created.status, created.text]).toEqual([200, expect.any(String)]);
    const { data } = created.body.response;
    expect(data).toMatchObject(expected(body));
    expect(await read(data.id)).toEqual(data);
    const listed = await client.walk(operation("listTasks"), {}, [100], { project_id });
    expect(listed.filter((task) => task.id === data.id)).toEqual([data]);
  });

  it(`every field of a task at ${id} can be changed, and the others stay as they are`, async () => {
    const first = { title: "First", project_id, description: "Before", due_at, ...knownValues(0) };
    const { data: before } = (await create(first)).body.response;
    const change = {
      title: "Second *title*",
      description: markdown,
      due_at: "2028-12-31T00:00:00.000Z",
      ...knownValues(-1),
    };
    let current = expected(first);
    for (const [field, value] of Object.entries(change)) {
      const { status, text, body } = await update(before.id, { [field]: value });
      expect([field, status, text]).toEqual([field, 200, expect.any(String)]);
      const { assignee, ...others } = current;
      current = { ...others, ...(field === "assignee_id" ? {} : { assignee }), ...expected({ [field]: value }) };
      if (current.assignee === undefined) delete current.assignee;
      expect(body.response.data).toMatchObject({ id: before.id, created_at: before.created_at, ...current });
      expect(await read(before.id)).toEqual(body.response.data);
    }
    const together = await update(before.id, first);
    expect([together.status, together.text]).toEqual([200, expect.any(String)]);
    expect(together.body.response.data).toMatchObject(expected(first));
  });

  const folder = specsFolder();
  it.skipIf(!folder && !process.env.CI)(
    `the calls that write every field of a task to ${id} match its official description`,
    async () => {
      if (!folder) throw new Error("CONTRACT_SPECS is not set: see docs/contract-suite.md");
      const descriptions = availableDescriptions(evidence[id], folder);
      const exchanges = await client.exchanges(async () => {
        const { data } = (await create({ title: "Described", project_id, due_at, ...knownValues(0) })).body.response;
        await update(data.id, { title: "Described", due_at, ...knownValues(-1) });
      });
      const scopes = provider.manifest.auth.oauth2?.scopes;
      expect(checkExchanges(provider, descriptions, exchanges, folder, scopes).violations).toEqual([]);
    },
  );

  it(`a task with only a title and its project can be written to ${id}`, async () => {
    const { status, body } = await create({ title: "Only this", project_id });
    expect([status, body.response.data]).toMatchObject([
      200,
      { title: "Only this", project_id, description: null, assignee: null, labels: [], due_at: null, parent_id: null },
    ]);
  });

  it(`labels of a task at ${id} can be removed`, async () => {
    if (!has("labels")) return;
    const { data } = (await create({ title: "Labelled", project_id, labels: knownValues(0).labels })).body.response;
    expect(data.labels).toHaveLength(1);
    const { status, body } = await update(data.id, { labels: [] });
    expect([status, body.response.data.labels]).toEqual([200, []]);
  });

  it(`a task without a project is refused for ${id}, with the list to choose from`, async () => {
    const { status, body } = await create({ title: "Nowhere" });
    expect([status, body.errors?.[0].path]).toEqual([400, ["body", "project_id"]]);
    expect(body.errors[0].detail).toContain("GET /v1/tasks/projects");
  });

  it(`an unknown status is refused for ${id} with the names of the valid ones, and nothing is written`, async () => {
    const title = `Refused ${crypto.randomUUID()}`;
    const { data: task } = (await create({ title: "Unchanged", project_id })).body.response;
    for (const refused of [
      await create({ title, project_id, status: "no such" }),
      await update(task.id, { title, status: "no such" }),
    ]) {
      expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, ["body", "status"]]);
      expect(refused.body.errors[0].detail).toContain(`"${knownValues(0).status}"`);
    }
    expect(await newest()).not.toContain(title);
    expect(await read(task.id)).toEqual(task);
  });

  it(`a field that tasks at ${id} never have is refused by its name, not ignored`, async () => {
    const values = { assignee: ["assignee_id", "1"], priority: ["priority", "High"], parent_id: ["parent_id", "1"] };
    for (const [field, [name, value]] of Object.entries(values)) {
      if (has(field)) continue;
      const { status, body } = await create({ title: "x", project_id, [name!]: value });
      expect([status, body.errors?.[0].path]).toEqual([400, ["body", name]]);
    }
  });

  it(`comments written to ${id} are read back with the same meaning`, async () => {
    const { data: task } = (await create({ title: "To comment on", project_id })).body.response;
    const written: any[] = [];
    for (const text of [markdown, "second"]) {
      const { status, body } = await client.call(operation("createComment"), { task_id: task.id }, {}, {}, { text });
      expect([status, body.response?.data.text]).toEqual([200, text]);
      written.push(body.response.data);
    }
    const { data } = (await client.call(operation("listComments"), { task_id: task.id })).body.response;
    const byId = (records: any[]) => records.sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId(data)).toEqual(byId(written));
  });

  it(`a change of an unknown task and a comment on it get ${provider.manifest.name}'s own error`, async () => {
    const task_id = "999999999999";
    for (const { status, headers } of [
      await update(task_id, { title: "x" }),
      await client.call(operation("createComment"), { task_id }, {}, {}, { text: "x" }),
    ]) {
      expect([400, 401, 404]).toContain(status);
      expect(headers.get("svc-error-source")).toBe("provider");
    }
  });
});

describe("moving a task", () => {
  const movable = ["asana", "trello", "linear"].map((id) => providers.find(({ manifest }) => manifest.id === id)!);

  it.each(movable.map((provider) => [provider.manifest.id, provider] as const))(
    "a task at %s is moved to another project",
    async (_, provider) => {
      const client = createClient(service, provider);
      const [first, second] = (await client.call(operation("listProjects"), {}, { limit: 2 })).body.response.data;
      const body = { title: "To move", project_id: first.id };
      const { data } = (await client.call(operation("createTask"), {}, {}, {}, body)).body.response;
      const params = { task_id: data.id };
      const moved = await client.call(operation("updateTask"), params, {}, {}, { project_id: second.id });
      expect([moved.status, moved.body.response.data.project_id]).toEqual([200, second.id]);
    },
  );
});

it("a card at Trello is archived by its status, and comes back with that of a list", async () => {
  const client = createClient(service, providers.find(({ manifest }) => manifest.id === "trello")!);
  const project_id = (await client.call(operation("listProjects"), {}, { limit: 1 })).body.response.data[0].id;
  const body = { title: "To archive", project_id, status: "Doing" };
  const { data } = (await client.call(operation("createTask"), {}, {}, {}, body)).body.response;
  for (const [status, status_category] of [
    ["archived", "done"],
    ["Doing", "in_progress"],
  ]) {
    const { body } = await client.call(operation("updateTask"), { task_id: data.id }, {}, {}, { status: status! });
    expect(body.response.data).toMatchObject({ status, status_category });
  }
});

it("a new issue at Linear has an ID that is the same for every request with the same key", async () => {
  const client = createClient(service, providers.find(({ manifest }) => manifest.id === "linear")!);
  const project_id = (await client.call(operation("listProjects"), {}, { limit: 1 })).body.response.data[0].id;
  const key = { "idempotency-key": crypto.randomUUID() };
  const create = () => client.call(operation("createTask"), {}, {}, key, { title: "Once", project_id });
  const exchanges = await client.exchanges(async () => {
    const answers = [await create(), await create()];
    expect(new Set(answers.map(({ body }) => body.response.data.id)).size).toBe(1);
  });
  const written = exchanges.flatMap(({ request }) => request.body.variables.input?.id ?? []);
  expect(written).toEqual([expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)]);
});
