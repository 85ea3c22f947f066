import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { connectedBy } from "../../../test/support/connected.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { git } from "../../categories/git.ts";
import { identity } from "../../categories/identity.ts";
import { providers } from "../registry.gen.ts";
import { type BitbucketPullRequest, filterTerms, toCommit, toPullRequest } from "./git.ts";
import { makeState } from "./sandbox/data.ts";

const operation = (name: keyof typeof git.operations) => git.bound.find((bound) => bound.name === name)!;
const listRepositories = operation("listRepositories");
const listPullRequests = operation("listPullRequests");
const bitbucket = providers.find(({ manifest }) => manifest.id === "bitbucket")!;
const { repositories, content } = makeState();
const repo = repositories[0]!.full_name;

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
  client = createClient(service, bitbucket);
});
afterAll(() => service?.close());

test.each([
  [{}, undefined],
  [{ updated_since: "2026-01-02T03:04:05.000Z" }, "updated_on >= 2026-01-02T03:04:05.000Z"],
  [{ query: 'a" OR title ~ "b' }, ["a", "OR", "title", "b"]],
  [{ query: "back\\slash \\ -" }, ["back", "slash"]],
])("the filter for %j has each word in quotes that it cannot end", (input, expected) => {
  const terms = Array.isArray(expected)
    ? expected.map((word) => `(title ~ "${word}" OR description ~ "${word}")`).join(" AND ")
    : expected;
  expect(filterTerms(input)).toBe(terms);
});

describe("repositories", () => {
  /** A page of 100 repositories, and the paths of the requests that it took. */
  async function readPage(after: string | null) {
    let response: any;
    const requests = await client.requests(async () => {
      response = (await client.call(listRepositories, {}, after ? { after } : {})).body.response;
    });
    return { response, paths: requests.map(({ path }) => path.split("?")[0]) };
  }

  test("repositories come from all workspaces, which are looked up only once, for the first page", async () => {
    const workspaces = "/2.0/user/workspaces";
    const list = (slug: string) => `/2.0/repositories/${slug}`;
    const first = await readPage(null);
    expect(first.paths).toEqual([workspaces, list("acme")]);
    const second = await readPage(first.response.metadata.next);
    expect(second.paths).toEqual([list("acme"), list("vacant"), list("umbrella")]);
    const third = await readPage(second.response.metadata.next);
    expect(third.paths).toEqual([list("umbrella"), list("umbrella"), list("sandbox")]);
    expect(third.response.metadata.next).toBeNull();
    const names = [first, second, third].flatMap(({ response }) =>
      response.data.map(({ full_name }: any) => full_name),
    );
    expect(names).toEqual(repositories.map(({ full_name }) => full_name));
  });

  test("a repository can be addressed by its full name, its slug or its name", async () => {
    for (const name of [repo, "rocket-engine", "Rocket Engine"])
      expect((await client.call(operation("listTags"), { repo: name }, { limit: 1 })).status).toBe(200);
    const ambiguous = await client.call(operation("listTags"), { repo: "twin" });
    expect(ambiguous.status).toBe(400);
    expect(ambiguous.text).toContain("acme/twin, umbrella/twin");
  });
});

describe("pull requests", () => {
  test("pull requests are listed in every state, and merged_at is the time of the merge, not of the last update", async () => {
    const pulls = await client.walk(listPullRequests, { repo }, [100]);
    const raw = new Map(content.get(repo)!.pullRequests.map((pull) => [pull.id, pull]));
    expect(pulls).toHaveLength(raw.size);
    for (const { number, state, merged_at, updated_at, user } of pulls) {
      const { state: rawState, closed_on, author } = raw.get(number)!;
      expect(state).toBe({ OPEN: "open", MERGED: "merged", DECLINED: "closed", SUPERSEDED: "closed" }[rawState]);
      expect(merged_at).toBe(rawState === "MERGED" ? new Date(closed_on!).toISOString() : null);
      expect(merged_at).not.toBe(updated_at);
      expect(user).toBe(author?.nickname ?? "Former user");
    }
    expect(new Set(pulls.map(({ state }) => state))).toEqual(new Set(["open", "merged", "closed"]));
  });

  test("a merged pull request without closed_on has the state merged and no merged_at", () => {
    const pull: BitbucketPullRequest = {
      id: 1,
      title: "",
      state: "MERGED",
      links: { html: { href: "" } },
      created_on: "2024-01-01T00:00:00Z",
      updated_on: "2024-01-02T00:00:00Z",
    };
    expect(toPullRequest(pull)).toMatchObject({ state: "merged", merged_at: null, description: null, draft: false });
  });

  test("pull requests are read in pages of 50, whatever the client's limit and params are", async () => {
    const params = JSON.stringify({ pagelen: 100, page: 4, fields: "values.id" });
    const exchanges = await client.exchanges(async () => {
      const { body } = await client.call(listPullRequests, { repo }, { limit: 100, params });
      expect(body.response.data).toHaveLength(100);
      expect(body.response.data[0].number).toBe(265);
    });
    expect(exchanges.map(({ request }) => request.query.get("pagelen"))).toEqual(["50", "50"]);
    // The link to the next page repeats the states, and the next request keeps them.
    for (const { request } of exchanges)
      expect(request.query.getAll("state")).toEqual(["OPEN", "MERGED", "DECLINED", "SUPERSEDED"]);
  });

  test("the client's own params can restrict pull requests to one state, on every page", async () => {
    const params = JSON.stringify({ state: "OPEN" });
    const first = await client.call(listPullRequests, { repo }, { limit: 30, params });
    const { next } = first.body.response.metadata;
    const second = await client.call(listPullRequests, { repo }, { limit: 30, after: next, params });
    const all = [...first.body.response.data, ...second.body.response.data];
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(["open"]));
    expect(all).toHaveLength(content.get(repo)!.pullRequests.filter(({ state }) => state === "OPEN").length);
  });
});

describe("commits", () => {
  const listCommits = operation("listCommits");
  const { branches, commits } = content.get(repo)!;

  test("without a branch, the default branch is looked up once and its commits are listed", async () => {
    const exchanges = await client.exchanges(async () => {
      const found = await client.walk(listCommits, { repo }, [100]);
      expect(found.map(({ sha }) => sha)).toEqual(commits.map(({ hash }) => hash));
    });
    expect(exchanges.map(({ request }) => [request.path, request.query.get("include")])).toEqual([
      [`/2.0/repositories/${repo}`, null],
      ...Array(3).fill([`/2.0/repositories/${repo}/commits`, "main"]),
    ]);
  });

  test("a branch whose name has slashes and other scripts is listed from its tip, without a lookup", async () => {
    const { name, target } = branches[1]!;
    const exchanges = await client.exchanges(async () => {
      const { body } = await client.call(listCommits, { repo }, { branch: name, limit: 3 });
      expect(body.response.data.map(({ sha }: any) => sha)).toEqual(
        [target, ...commits.slice(1, 3)].map(({ hash }) => hash),
      );
    });
    expect(exchanges).toHaveLength(1);
  });

  test("an empty repository has no commits, and an unknown branch gives Bitbucket's own error", async () => {
    const empty = await client.call(listCommits, { repo: "acme/empty" });
    expect([empty.status, empty.body.response.data]).toEqual([200, []]);
    const unknown = await client.call(listCommits, { repo }, { branch: "none" });
    expect([unknown.status, unknown.body.error.message]).toEqual([404, "Commit not found"]);
  });

  test.each([
    ["Zoë Müller <zoe@example.com>", "Zoë Müller", "zoe@example.com"],
    ["山田 陽菜 <hina@example.com> (work)", "山田 陽菜", "hina@example.com"],
    ["hubot", "hubot", null],
    ["<bot@example.com>", "Hubot", "bot@example.com"],
    ["Somebody <>", "Somebody", null],
    ["", "Hubot", null],
    [null, "Hubot", null],
  ])("the author %j of a commit has the name %j and the address %j", (raw, author, author_email) => {
    const commit = { ...commits[0]!, author: { raw, user: { display_name: "Hubot" } } };
    expect(toCommit(commit)).toMatchObject({ author, author_email });
  });
});

test.each([
  ["listRepositories", {}],
  ["listPullRequests", { repo }],
] as const)("%s passes updated_since to Bitbucket as a filter, on every page", async (name, params) => {
  const updated_since = "2024-02-10T00:00:00.000Z";
  const exchanges = await client.exchanges(() =>
    client.walk(operation(name), params as Record<string, string>, [100], { updated_since }),
  );
  const lists = exchanges.filter(({ request }) => !request.path.endsWith("/workspaces"));
  expect(lists.length).toBeGreaterThan(2);
  for (const { request } of lists) expect(request.query.get("q")).toBe(`updated_on >= ${updated_since}`);
});

test("repositories have their default branch, and an empty one has none", async () => {
  const [rocket, empty] = (await client.call(listRepositories, {}, { limit: 2 })).body.response.data;
  expect([rocket.default_branch, empty.default_branch]).toEqual(["main", null]);
});

test.each(["listIssues", "listReleases", "listIssueComments"] as const)(
  "%s is refused as unsupported: Bitbucket has no such list",
  async (name) => {
    const { status, body } = await client.call(operation(name), { repo, number: "1" });
    expect([status, body.errors[0].code]).toEqual([404, 7002]);
  },
);

test("a connection with an API token authenticates with the user's name and password", async () => {
  const otherClient = createClient(await connectedBy(service, "bitbucket", { type: "basic" }), bitbucket);
  const exchanges = await otherClient.exchanges(async () => {
    expect((await otherClient.call(listRepositories, {}, { limit: 2 })).body.response.data).toHaveLength(2);
  });
  for (const { request } of exchanges) expect(request.headers.authorization).toMatch(/^Basic /);
});

test("a connection with a workspace access token reads its workspace, and asks for nothing of a user", async () => {
  const settings = { workspace: "umbrella" };
  const connected = await connectedBy(service, "bitbucket", { type: "api_key" }, { settings });
  const otherClient = createClient(connected, bitbucket);
  const exchanges = await otherClient.exchanges(async () => {
    const found = await otherClient.walk(listRepositories, {}, [100]);
    expect(found.map(({ full_name }) => full_name)).toEqual(
      repositories.map(({ full_name }) => full_name).filter((name) => name.startsWith("umbrella/")),
    );
    const { body } = await otherClient.call(identity.bound[0]!, {});
    expect(body.response.data).toMatchObject({ id: expect.stringMatching(/^\{/), name: "umbrella", email: null });
  });
  for (const { request } of exchanges) {
    expect(request.headers.authorization).toMatch(/^Bearer /);
    expect(request.path).not.toMatch(/\/user/);
    expect(request.query.has("role")).toBe(false);
  }
});

test("the emulator refuses oversized pages, removed endpoints and unknown repositories", async () => {
  const { token } = service.sandbox.credentials("bitbucket", "api_key").credentials;
  const read = async (path: string) => {
    const response = await fetch(`${service.url}/sandbox/bitbucket/2.0${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return [response.status, ((await response.json()) as any).error?.message];
  };
  expect(await read(`/repositories/${repo}/pullrequests?pagelen=51`)).toEqual([400, "Invalid pagelen"]);
  expect(await read("/repositories/acme?pagelen=101")).toEqual([400, "Invalid pagelen"]);
  expect(await read("/repositories?role=member")).toEqual([410, expect.stringContaining("CHANGE-2770")]);
  expect(await read("/repositories/acme/none/refs/tags")).toEqual([404, "Repository acme/none not found"]);
});
