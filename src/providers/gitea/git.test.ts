import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { connectedBy } from "../../../test/support/connected.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { git } from "../../categories/git.ts";
import { providers } from "../registry.gen.ts";
import implemented from "./git.ts";
import { makeState } from "./sandbox/state.ts";

const operation = (name: keyof typeof git.operations) => git.bound.find((bound) => bound.name === name)!;
const listRepositories = operation("listRepositories");
const gitea = providers.find(({ manifest }) => manifest.id === "gitea")!;
const { repositories, content } = makeState();
const repo = repositories[0]!.full_name;

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
  client = createClient(service, gitea);
});
afterAll(() => service?.close());

test("a page of 100 records is read as two Gitea pages of 50", async () => {
  const requests = await client.requests(() => client.call(listRepositories, {}, { limit: 100 }));
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/v1/user/repos?limit=50&page=1",
    "/api/v1/user/repos?limit=50&page=2",
  ]);
});

describe("tags, whose responses have no Link header", () => {
  const list = implemented.operations.listTags as AnyList;
  const context = (cursor: unknown) => ({ input: { repo }, limit: 50, cursor }) as AnyPageContext;

  /** Reads all tags from a server with its own maximum page size, and returns the sizes of the pages. */
  function pageSizes(total: number, serverMax: number, hasTotal = true): number[] {
    const sizes: number[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = Number(list.request(context(cursor)).locked.page);
      const size = Math.max(0, Math.min(serverMax, total - (page - 1) * serverMax));
      sizes.push(size);
      const headers = hasTotal ? { "x-total-count": String(total) } : {};
      cursor = list.next({ status: 200, headers, body: Array(size).fill({}) }, context(cursor)) ?? null;
    }
    return sizes;
  }

  test.each([
    [120, 50, [50, 50, 20]],
    [100, 50, [50, 50]],
    [0, 50, [0]],
    [50, 20, [20, 20, 10]],
    [40, 20, [20, 20]],
  ])("%i tags, at most %i in one response, are read in pages of %j", (total, serverMax, sizes) => {
    expect(pageSizes(total, serverMax)).toEqual(sizes);
  });

  test("tags without a total are read until an empty page", () => {
    expect(pageSizes(70, 50, false)).toEqual([50, 20, 0]);
  });

  test("every tag is listed once, in order", async () => {
    const tags = await client.walk(operation("listTags"), { repo }, [7, 100]);
    expect(tags.map(({ name }) => name)).toEqual(content.get(repo)!.tags.map(({ name }) => name));
  });
});

test("an empty repository has no branches, although Gitea returns null instead of a list", async () => {
  const { body } = await client.call(operation("listBranches"), { repo: "acme/empty" }, { include_raw: "true" });
  expect(body.response).toEqual({ data: [], metadata: { next: null }, _raw: null });
});

test("issues include no pull requests, and releases include no drafts", async () => {
  const { issues, releases } = content.get(repo)!;
  const listed = await client.walk(operation("listIssues"), { repo }, [100]);
  expect(listed).toHaveLength(issues.filter(({ pull_request }) => pull_request === null).length);
  const published = await client.walk(operation("listReleases"), { repo }, [100]);
  expect(published).toHaveLength(releases.filter(({ draft }) => !draft).length);
  expect(published.every(({ name }) => name !== "")).toBe(true);
});

test("a pull request is merged, closed or open", async () => {
  const pulls = await client.walk(operation("listPullRequests"), { repo }, [100]);
  const raw = new Map(content.get(repo)!.pulls.map((pull) => [pull.number, pull]));
  for (const { number, state, merged_at, user } of pulls) {
    const { merged, state: rawState, user: author } = raw.get(number)!;
    expect([state, merged_at !== null, user]).toEqual([merged ? "merged" : rawState, merged, author.login]);
  }
});

test.each([
  ["api_key", /^token sbxk_/],
  ["oauth2", /^Bearer sbxa_/],
  ["basic", /^Basic /],
] as const)("a connection of type %s to a self-hosted server authenticates with %s", async (type, authorization) => {
  const base_url = `${service.url}/sandbox/gitea/`;
  const selfHosted = createClient(await connectedBy(service, "gitea", { type, base_url }), gitea);
  const exchanges = await selfHosted.exchanges(async () => {
    expect((await selfHosted.call(listRepositories, {}, { limit: 2 })).body.response.data).toHaveLength(2);
  });
  expect(exchanges[0]!.request.headers.authorization).toMatch(authorization);
});

test("a refresh that Gitea refuses as unauthorized_client makes the connection invalid", async () => {
  const expired = { auth_token: "made-up", refresh_token: "made-up", expires_in: 1 };
  const connected = await connectedBy(service, "gitea", { type: "oauth2" }, expired);
  const connection = () => connected.platform(`/connections/${connected.connections.gitea}`);
  expect(await connection()).toMatchObject({ is_valid: true });
  await createClient(connected, gitea).call(listRepositories, {});
  expect(await connection()).toMatchObject({ is_valid: false });
});

test("the branch of a pull request keeps its name after it was deleted", async () => {
  const { body } = await client.call(operation("listPullRequests"), { repo }, { limit: 100 });
  const { pulls } = content.get(repo)!;
  expect(pulls.slice(0, 100).some(({ head }) => head.ref.startsWith("refs/pull/"))).toBe(true);
  for (const { number, source_branch, target_branch } of body.response.data)
    expect([source_branch, target_branch]).toEqual([`feature-${number}`, "main"]);
});

test("an empty repository has no default branch, and its commits give Gitea's own error", async () => {
  const listed = await client.walk(listRepositories, {}, [100]);
  const empty = listed.find(({ full_name }) => full_name === "acme/empty");
  expect([empty.default_branch, listed[0].default_branch]).toEqual([null, "main"]);
  const { status, body } = await client.call(operation("listCommits"), { repo: "acme/empty" });
  expect([status, body.message]).toEqual([409, "Git Repository is empty."]);
});

test("commits of a branch start at its tip, and details that are not read are not requested", async () => {
  const { branches, commits } = content.get(repo)!;
  const { name, commit } = branches[1]!;
  const exchanges = await client.exchanges(async () => {
    const found = await client.walk(operation("listCommits"), { repo }, [100], { branch: name });
    expect(found.map(({ sha }) => sha)).toEqual([commit.id, ...commits.slice(1).map(({ sha }) => sha)]);
  });
  for (const { request } of exchanges)
    expect([...request.query].filter(([, value]) => value === "false").map(([key]) => key)).toEqual(
      expect.arrayContaining(["stat", "verification", "files"]),
    );
  const unknown = await client.call(operation("listCommits"), { repo }, { branch: "none" });
  expect([unknown.status, unknown.body.message]).toEqual([404, "not found"]);
});

test("the comments of an issue are listed once each, although Gitea returns them all in one response", async () => {
  const params = { repo, number: "640" };
  const expected = content.get(repo)!.commentsOf(640);
  const comments = await client.walk(operation("listIssueComments"), params, [30]);
  expect(comments.map(({ id }) => id)).toEqual(expected.map(({ id }) => String(id)));
  expect(comments.map(({ author }) => author.name).slice(0, 4)).toEqual([
    "Sandbox",
    "Zoë Müller",
    "Ghost",
    "Gitea Actions",
  ]);
  const missing = await client.call(operation("listIssueComments"), { repo, number: "9999" });
  expect(missing.status).toBe(404);
});

test("updated_since is passed to Gitea for issues, as a time that includes records updated at that second", async () => {
  const { updated_at } = content.get(repo)!.issues[100]!;
  const exchanges = await client.exchanges(() =>
    client.call(operation("listIssues"), { repo }, { limit: 5, updated_since: new Date(updated_at).toISOString() }),
  );
  const since = exchanges[0]!.request.query.get("since")!;
  expect(Date.parse(updated_at) - Date.parse(since)).toBe(1000);
});

test("an issue gets labels of every page, and those of the organization", async () => {
  const create = (labels: string[]) => client.call(operation("createIssue"), { repo }, {}, {}, { title: "x", labels });
  const labels = ["bug", "area 55", "company-wide"];
  expect((await create(labels)).body.response.data.labels).toEqual(labels);

  const requests = await client.requests(() => create(["bug"]));
  expect(requests.some(({ path }) => path.includes("/orgs/"))).toBe(false);
});

test.each([404, 403])(
  "an unknown label is refused with those of the repository if Gitea answers %i for the owner's",
  async (status) => {
    await client.fault({ status, path: "/orgs/acme/labels", times: 1 });
    const refused = await client.call(operation("createIssue"), { repo }, {}, {}, { title: "x", labels: ["none"] });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].detail).toContain('"area 55", not "none"');
  },
);
