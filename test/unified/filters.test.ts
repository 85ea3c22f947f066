// Rules of filters that do not depend on the provider. What each filter finds at each provider is in the conformance suite.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { clearFaults } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

const operation = (id: string) => operations.find((one) => one.id === id)!;
const listTasks = operation("tasks.listTasks");
let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "warn" } });
});
afterAll(() => service?.close());
afterEach(() => clearFaults(service));

const clientOf = (id: string): Client => createClient(service, providers.find(({ manifest }) => manifest.id === id)!);
const paths = async (client: Client, work: () => Promise<unknown>) =>
  (await client.requests(work)).map(({ path }) => path.split("?")[0]!);

it("`me` is looked up once for a connection", async () => {
  const trello = clientOf("trello");
  const read = () => trello.call(listTasks, {}, { assignee_id: "me", limit: 1 });
  expect(await paths(trello, read)).toContain("/1/members/me");
  expect(await paths(trello, read)).not.toContain("/1/members/me");
});

it("a cursor of `me` is not valid for the ID of the same user", async () => {
  const trello = clientOf("trello");
  const { id } = (await trello.call(operation("identity.getMe"), {})).body.response.data;
  const { body } = await trello.call(listTasks, {}, { assignee_id: "me", limit: 1 });
  const { next } = body.response.metadata;
  expect((await trello.call(listTasks, {}, { assignee_id: "me", after: next })).status).toBe(200);
  expect((await trello.call(listTasks, {}, { assignee_id: id, after: next })).status).toBe(400);
});

it("a dry run of `me` says that the user is looked up first", async () => {
  const asana = clientOf("asana");
  const { body } = await asana.call(listTasks, {}, { assignee_id: "me", dry_run: "true" });
  const { requests, complete } = body.response.data;
  expect([requests[0].url, complete]).toEqual([expect.stringContaining("/users/me"), false]);
});

it("a connection without a user of its own says so about `me`", async () => {
  const { status, body } = await clientOf("front").call(operation("helpdesk.listTickets"), {}, { assignee_id: "me" });
  expect([status, body.errors]).toEqual([
    400,
    [
      {
        code: 7001,
        message: "Input Validation Error",
        path: ["query", "assignee_id"],
        detail: "`me` is nobody here: the connection has no user of its own at Front",
      },
    ],
  ]);
});

it("an error that is not about the filter's value is not hidden", async () => {
  const jira = clientOf("jira");
  const [project] = (await jira.call(operation("tasks.listProjects"), {}, { limit: 1 })).body.response.data;
  const read = (query = {}) => jira.call(listTasks, {}, { project_id: project.id, ...query });
  await jira.fault({ path: "*/search/jql", status: 403, times: 1 });
  expect((await read()).status).toBe(403);

  const { next } = (await read({ limit: 1 })).body.response.metadata;
  for (const query of [{ after: next }, { params: '{"expand":"names"}' }]) {
    await jira.fault({ path: "*/search/jql", status: 400, times: 1 });
    expect((await read(query)).status).toBe(400);
  }

  const { status } = await clientOf("github").call(
    operation("git.listIssues"),
    { repo: "nobody/nothing" },
    { state: "open" },
  );
  expect(status).toBe(404);
});

it("a search at a provider that has none is refused before anything is sent", async () => {
  const asana = clientOf("asana");
  const seen = await paths(asana, async () => {
    const { status, body } = await asana.call(listTasks, {}, { query: "x" });
    expect([status, body.errors[0]]).toEqual([
      400,
      {
        code: 7001,
        message: "Input Validation Error",
        path: ["query", "query"],
        detail: "Asana has no search for this list",
      },
    ]);
  });
  expect(seen).toEqual([]);
});

it("ticketing, which has the fields that all of them have, has none of these filters", async () => {
  const { status, headers } = await clientOf("jira").call(
    operation("ticketing.listTickets"),
    {},
    {
      limit: 1,
      status_category: "done",
    },
  );
  expect([status, headers.get("svc-warning")]).toEqual([200, expect.stringContaining("status_category")]);
});
