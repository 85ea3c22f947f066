import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../../../test/support/contract/index.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import evidence from "./evidence.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox/data.ts";

const provider = { manifest, categories: [] };
let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, provider);
});
afterAll(() => service.close());

const operation = (id: string) => operations.find((operation) => operation.id === id)!;
const { tasks, lists } = makeState();

test("project_id lists exactly the tasks of that list, those that are in several lists included", async () => {
  const { id } = lists.find(({ name }) => name === "Backlog & ideas")!;
  const exchanges = await client.exchanges(async () => {
    const found = await client.walk(operation("tasks.listTasks"), {}, [50], { project_id: id });
    const wanted = tasks.filter(({ list, locations }) => [list, ...locations].some((place) => place.id === id));
    expect(found.map((task) => task.id)).toEqual(wanted.map((task) => task.id));
    expect(wanted.some(({ list }) => list.id !== id)).toBe(true);
  });
  const folder = specsFolder();
  if (!folder) return expect(process.env.CI).toBeUndefined();
  const { violations } = checkExchanges(provider, availableDescriptions(evidence, folder), exchanges, folder);
  expect(violations).toEqual([]);
});

test("updated_since is passed on, so that no page of older tasks is read", async () => {
  const team = tasks[0]!.team_id;
  const own = tasks.filter(({ team_id }) => team_id === team);
  const updated_since = new Date(
    Number(
      own
        .map(({ date_updated }) => date_updated)
        .sort()
        .at(-10),
    ),
  ).toISOString();
  const seen = await client.exchanges(async () => {
    const { body } = await client.call(operation("tasks.listTasks"), {}, { limit: 10, updated_since });
    expect(body.response.data).toHaveLength(10);
  });
  expect(seen.map(({ request }) => request.path)).toEqual(["/api/v2/team", `/api/v2/team/${team}/task`]);
});

test("projects are the lists of all spaces, first those in folders", async () => {
  const found = await client.walk(operation("ticketing.listProjects"), {}, [2]);
  expect(found.map(({ id }) => id)).toEqual(lists.map(({ id }) => id));
  expect(found[0]).toEqual({
    id: "901200001",
    name: "Liste",
    description: "Alles \\*hier\\*",
    url: "https://app.clickup.com/9015001/v/li/901200001",
    custom: {},
  });
});
