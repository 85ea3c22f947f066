import type { RestEndpointMethodTypes } from "@octokit/rest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { git } from "../../categories/git.ts";
import {
  type ListedComment,
  type ListedCommit,
  type ListedRepository,
  toRepository,
} from "../../provider-kit/git-records.ts";
import { providers } from "../registry.gen.ts";
import { searchTerms } from "./git.ts";
import type { GitHubUser } from "./identity.ts";
import manifest from "./manifest.ts";
import { type GitHubIssue, type GitHubPullRequest, toIssue } from "./records.ts";
import { makeState } from "./sandbox/state.ts";

// Compile-time check: our types accept the official client's types of GitHub's responses.
type Listed<
  Method extends keyof RestEndpointMethodTypes[Group],
  Group extends keyof RestEndpointMethodTypes,
> = RestEndpointMethodTypes[Group][Method] extends { response: { data: (infer Item)[] } } ? Item : never;
({}) as Listed<"listForAuthenticatedUser", "repos"> satisfies ListedRepository;
({}) as Listed<"list", "pulls"> satisfies GitHubPullRequest;
({}) as Listed<"listForRepo", "issues"> satisfies GitHubIssue;
({}) as Listed<"listCommits", "repos"> satisfies ListedCommit;
({}) as Listed<"listComments", "issues"> satisfies ListedComment;
({}) as RestEndpointMethodTypes["users"]["getAuthenticated"]["response"]["data"] satisfies GitHubUser;

const operation = (name: keyof typeof git.operations) => git.bound.find((bound) => bound.name === name)!;
const github = providers.find(({ manifest }) => manifest.id === "github")!;
const { repositories, content } = makeState();
const repo = repositories[0]!.full_name;
const { branches, issues, commits } = content.get(repo)!;

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
  client = createClient(service, github);
});
afterAll(() => service?.close());

test("commits of a branch start at its tip, and without a branch they are those of the default branch", async () => {
  const walk = async (branch: string) =>
    (await client.walk(operation("listCommits"), { repo }, [100], { branch })).map(({ sha }) => sha);
  const [main, other] = branches as [(typeof branches)[0], (typeof branches)[0]];
  expect(await walk(other.name)).toEqual([other.commit.sha, ...commits.slice(1).map(({ sha }) => sha)]);
  const all = (await client.walk(operation("listCommits"), { repo }, [100])).map(({ sha }) => sha);
  expect(all[0]).toBe(main.commit.sha);
  expect(await walk("main")).toEqual(all);
});

test("an unknown branch, an empty repository and an unknown issue give GitHub's own errors", async () => {
  const unknown = await client.call(operation("listCommits"), { repo }, { branch: "none" });
  expect([unknown.status, unknown.body.message]).toEqual([404, "Not Found"]);
  const empty = await client.call(operation("listCommits"), { repo: "acme/empty" });
  expect([empty.status, empty.body.message]).toEqual([409, "Git Repository is empty."]);
  const missing = await client.call(operation("listIssueComments"), { repo, number: "9999" });
  expect([missing.status, missing.body.message]).toEqual([404, "Not Found"]);
});

test("a rate limit that GitHub answers with 403 counts as 429, and other refusals stay 403", async () => {
  const { failed, retryAfter } = manifest;
  const refused = (headers: Record<string, string>, message: string) => ({ status: 403, headers, body: { message } });
  const reset = String(Math.floor(Date.now() / 1000) + 1_800);
  const primary = refused({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset }, "API rate limit exceeded");
  expect(failed(primary)).toBe(429);
  expect(retryAfter(primary)).toBeGreaterThan(1_000);
  const secondary = refused({ "x-ratelimit-remaining": "4999" }, "You have exceeded a secondary rate limit.");
  expect([failed(secondary), retryAfter(secondary)]).toEqual([429, 60]);
  expect(failed(refused({ "retry-after": "7" }, "Forbidden"))).toBe(429);
  const forbidden = refused({ "x-ratelimit-remaining": "4999" }, "Resource not accessible by integration");
  for (const other of [forbidden, { ...forbidden, body: null }, { ...primary, status: 404 }])
    expect(failed(other)).toBeUndefined();
  expect(retryAfter(forbidden)).toBeUndefined();

  await client.fault({ status: 403, retry_after: 60, times: 1 });
  const limited = await client.call(operation("listTags"), { repo });
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "60"]);
});

test("a commit has the author's own name and address, and the time at which it was committed", async () => {
  const listed = await client.walk(operation("listCommits"), { repo }, [100]);
  expect(listed[0]).toMatchObject({
    author: "Zoë Müller",
    author_email: "zoe@example.com",
    committed_at: new Date(commits[0]!.commit.committer.date).toISOString(),
  });
  // Without a name of the author, that of the account with the address.
  expect(listed[5]).toMatchObject({ author: commits[5]!.author!.login });
  expect(listed[6]).toMatchObject({ author_email: null });
  expect(listed[7]).toMatchObject({ message: null });
});

test("labels are listed by name, whether GitHub sends them as objects or as text", () => {
  const issue = { ...issues[0]!, labels: ["bug", { name: "größe" }, {}] };
  expect(toIssue(issue).labels).toEqual(["bug", "größe"]);
});

test.each([
  ["Größe 100%", '"Größe" "100%"'],
  ['"a" repo:other/x', '"a" "repo:other/x"'],
  ['\\" is:pr (x*', '"is:pr" "(x*"'],
])("what is searched for cannot become a term of its own: %s", (query, words) => {
  expect(searchTerms({ repo: "acme/rocket", query, state: "open" })).toBe(
    `repo:acme/rocket is:issue state:open ${words}`,
  );
});

test("the name of a repository cannot become a term of its own", () => {
  expect(searchTerms({ repo: 'a/b" repo:c/d', query: "x" })).toBe('repo:a/b--repo-c/d is:issue "x"');
});

test("updated_since is passed to GitHub as a time that includes records updated at that second", async () => {
  const { updated_at } = repositories[200]!;
  const exchanges = await client.exchanges(async () => {
    const found = await client.walk(operation("listRepositories"), {}, [20], { updated_since: updated_at });
    expect(found.map(({ id }) => id)).toEqual(repositories.slice(200).map(({ id }) => id));
  });
  const before = new Date(Date.parse(updated_at) - 1000).toISOString().replace(".000Z", "Z");
  expect(exchanges.map(({ request }) => request.query.get("since"))).toEqual([before, before, before]);
});

test("a repository's description, which GitHub shows as typed, is escaped so that it renders the same", () => {
  const described = (description: string) => toRepository({ ...repositories[0]!, description }).description;
  expect(described("*fast* and <b>small</b> [x](y)")).toBe("\\*fast\\* and \\<b>small\\</b> [x\\](y)");
  expect(described("C# & C++ 🚀")).toBe("C# & C++ 🚀");
});
