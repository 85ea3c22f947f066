import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { connectedBy } from "../../../test/support/connected.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { git } from "../../categories/git.ts";
import { providers } from "../registry.gen.ts";
import implemented from "./git.ts";
import { makeState } from "./sandbox-data.ts";

const operation = (name: keyof typeof git.operations) => git.bound.find((one) => one.name === name)!;
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

test("a page of 100 is made from two of Gitea's", async () => {
  const requests = await client.requests(() => client.call(listRepositories, {}, { limit: 100 }));
  expect(requests.map(({ path }) => path)).toEqual([
    "/api/v1/user/repos?limit=50&page=1",
    "/api/v1/user/repos?limit=50&page=2",
  ]);
});

describe("tags, which come without a Link header", () => {
  const list = implemented.operations.listTags as AnyList;
  const context = (cursor: unknown) => ({ input: { repo }, limit: 50, cursor }) as AnyPageContext;

  /** A server with a largest page of its own. */
  function walk(total: number, most: number, told = true): number[] {
    const sizes: number[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = Number(list.request(context(cursor)).locked.page);
      const size = Math.max(0, Math.min(most, total - (page - 1) * most));
      sizes.push(size);
      const headers = told ? { "x-total-count": String(total) } : {};
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
  ])("%i of them, at most %i at once, take pages of %j", (total, most, pages) => {
    expect(walk(total, most)).toEqual(pages);
  });

  test("are walked until there are none where their number is not told", () => {
    expect(walk(70, 50, false)).toEqual([50, 20, 0]);
  });

  test("come whole, page after page", async () => {
    const tags = await client.walk(operation("listTags"), { repo }, [7, 100]);
    expect(tags.map(({ name }) => name)).toEqual(content.get(repo)!.tags.map(({ name }) => name));
  });
});

test("an empty repository has no branches, for which Gitea says null", async () => {
  const answered = await client.call(operation("listBranches"), { repo: "acme/empty" }, { include_raw: "true" });
  expect(answered.body.response).toEqual({ data: [], metadata: { next: null }, _raw: null });
});

test("pull requests are not among the issues, and drafts not among the releases", async () => {
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
    const { merged, state: own, user: author } = raw.get(number)!;
    expect([state, merged_at !== null, user]).toEqual([merged ? "merged" : own, merged, author.login]);
  }
});

test.each([
  ["api_key", /^token sbxk_/],
  ["oauth2", /^Bearer sbxa_/],
  ["basic", /^Basic /],
] as const)(
  "a connection of type %s works on a server of the user's own, and sends %s",
  async (type, authorization) => {
    const base_url = `${service.url}/sandbox/gitea/`;
    const own = createClient(await connectedBy(service, "gitea", { type, base_url }), gitea);
    const exchanges = await own.exchanges(async () => {
      expect((await own.call(listRepositories, {}, { limit: 2 })).body.response.data).toHaveLength(2);
    });
    expect(exchanges[0]!.request.headers.authorization).toMatch(authorization);
  },
);

test("a refresh token that Gitea no longer takes ends the connection, though it blames the client", async () => {
  const expired = { auth_token: "made-up", refresh_token: "made-up", expires_in: 1 };
  const own = await connectedBy(service, "gitea", { type: "oauth2" }, expired);
  const connection = () => own.platform(`/connections/${own.connections.gitea}`);
  expect(await connection()).toMatchObject({ is_valid: true });
  await createClient(own, gitea).call(listRepositories, {});
  expect(await connection()).toMatchObject({ is_valid: false });
});
