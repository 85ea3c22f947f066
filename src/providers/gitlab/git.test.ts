import type {
  BranchSchema,
  CommitSchema,
  ExpandedUserSchema,
  IssueNoteSchema,
  IssueSchema,
  MergeRequestSchema,
  ProjectSchema,
  ReleaseSchema,
  TagSchema,
} from "@gitbeaker/rest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { connectedBy } from "../../../test/support/connected.ts";
import { type AnySend, requestsOfChange } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { git } from "../../categories/git.ts";
import { providers } from "../registry.gen.ts";
import type { GitLabUser } from "./identity.ts";
import {
  type GitLabBranch,
  type GitLabCommit,
  type GitLabIssue,
  type GitLabMergeRequest,
  type GitLabNote,
  type GitLabProject,
  type GitLabRelease,
  type GitLabTag,
  toIssue,
  toPullRequest,
  toRelease,
  toRepository,
} from "./records.ts";
import { makeState } from "./sandbox/state.ts";
import { writes } from "./writes.ts";

// Compile-time check: our types accept the client's types of GitLab's responses.
({}) as ProjectSchema satisfies GitLabProject;
({}) as MergeRequestSchema satisfies GitLabMergeRequest;
({}) as IssueSchema satisfies GitLabIssue;
({}) as TagSchema satisfies GitLabTag;
({}) as ReleaseSchema satisfies GitLabRelease;
({}) as BranchSchema satisfies GitLabBranch;
({}) as CommitSchema satisfies GitLabCommit;
({}) as IssueNoteSchema satisfies GitLabNote;
({}) as ExpandedUserSchema satisfies GitLabUser;

const operation = (name: keyof typeof git.operations) => git.bound.find((bound) => bound.name === name)!;
const listReleases = operation("listReleases");
const listTags = operation("listTags");
const gitlab = providers.find(({ manifest }) => manifest.id === "gitlab")!;
const { projects, content } = makeState();

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
  client = createClient(service, gitlab);
});
afterAll(() => service?.close());

test("what GitLab would carry out is written: a quick action in a comment or a description is text, code stays", async () => {
  const text = "Done:\n/close\n/Label ~bug\n/etc/hosts and /close\n```\n/close\n```\n/unassign";
  const sent = "Done:\n\\/close\n\\/Label ~bug\n/etc/hosts and /close\n```\n/close\n```\n\\/unassign";
  const { createIssue, createIssueComment } = writes;
  const comment = (createIssueComment as AnySend).request({ input: { repo: "acme/rocket", number: "1", text } });
  expect(comment.body).toEqual({ body: sent });
  const issue = await requestsOfChange(createIssue, { repo: "acme/rocket", title: "x", description: text }, {});
  expect(issue.sent).toEqual({ title: "x", description: sent });
});

test("a label with a comma, which GitLab would split, is refused", async () => {
  const sent = (labels: string[]) => requestsOfChange(writes.createIssue, { repo: "a/b", title: "x", labels }, {});
  expect((await sent(["bug", "größe"])).sent).toMatchObject({ labels: "bug,größe" });
  await expect(sent(["bug, extra"])).rejects.toThrow("labels");
});

describe("a release's id", () => {
  const release = (tag_name: string, self?: string): GitLabRelease => ({
    tag_name,
    created_at: "2024-01-01T00:00:00Z",
    ...(self ? { _links: { self } } : {}),
  });
  const idOf = (tag: string, project: string, self?: string) => toRelease(release(tag, self), project).id;

  test("the id of a release never changes", () => {
    expect(idOf("v1.0", "https://gitlab.com/acme/rocket")).toBe(2_676_557_501_774_885);
  });

  test("the id of a release depends on project and tag, not on the host", () => {
    const id = idOf("v1.0", "https://git.example.com/acme/rocket");
    expect(id).toBe(idOf("v1.0", "https://gitlab.com/acme/rocket"));
    expect(id).toBe(idOf("v1.0", "https://gitlab.com/Old/Name", "https://gitlab.com/acme/rocket/-/releases/v1.0"));
    expect(id).not.toBe(idOf("v1.1", "https://gitlab.com/acme/rocket"));
    expect(id).not.toBe(idOf("v1.0", "https://gitlab.com/acme/engines/rocket"));
    expect(id).not.toBe(idOf("V1.0", "https://gitlab.com/acme/rocket"));
  });

  test("releases whose tags are hidden have different ids", () => {
    const hidden = (name: string) => toRelease({ name, created_at: "2024-01-01T00:00:00Z" }, "https://gitlab.com/a/b");
    expect(hidden("Release-1").id).not.toBe(hidden("Release-2").id);
    expect(hidden("Release-1")).toMatchObject({ name: "Release-1", tag_name: "" });
  });

  test("the id of a release is a safe integer, the same in every listing", async () => {
    const params = { repo: projects[0]!.path_with_namespace };
    const listIds = async () => (await client.walk(listReleases, params, [100])).map(({ id }) => id);
    const ids = await listIds();
    expect(ids.every(Number.isSafeInteger)).toBe(true);
    expect(new Set(ids).size).toBe(280);
    // The path is not case-sensitive.
    const upperCase = { repo: params.repo.toUpperCase() };
    expect((await client.walk(listReleases, upperCase, [100])).map(({ id }) => id)).toEqual(ids);
  });
});

test("only upcoming releases are prereleases", async () => {
  const releases = await client.walk(listReleases, { repo: projects[0]!.path_with_namespace }, [100]);
  expect(releases.filter(({ prerelease }) => prerelease).map(({ tag_name }) => tag_name)).toEqual([
    "v1.280.0",
    "v1.279.0",
    "v1.278.0",
  ]);
});

test.each([
  ["opened", "open"],
  ["locked", "open"],
  ["closed", "closed"],
  ["merged", "merged"],
])("a merge request in state %s becomes a pull request in state %s", (state, expected) => {
  const request = { id: 9, iid: 1, title: "", web_url: "", created_at: "", updated_at: "", state };
  expect(toPullRequest(request)).toMatchObject({ state: expected, id: 9, number: 1, user: "ghost" });
});

test.each([
  [{ draft: true }, true],
  [{ draft: false, work_in_progress: true }, false],
  [{ work_in_progress: true }, true],
  [{}, false],
])("a merge request with %j has draft: %j", (fields, draft) => {
  const request = { id: 9, iid: 1, title: "", web_url: "", created_at: "", updated_at: "", state: "opened", ...fields };
  expect(toPullRequest(request).draft).toBe(draft);
});

test("a repository can be addressed by its full path, the last part of it or its name", async () => {
  const [rocket, , twin, other] = projects;
  expect(rocket!.path_with_namespace).toBe("acme/engines/rocket-engine");
  for (const repo of [rocket!.path_with_namespace, "rocket-engine", "Rocket Engine"])
    expect((await client.call(listTags, { repo }, { limit: 1 })).body.response.data).toHaveLength(1);
  const ambiguous = await client.call(listTags, { repo: "twin" });
  expect(ambiguous.status).toBe(400);
  expect(ambiguous.text).toContain(`${twin!.path_with_namespace}, ${other!.path_with_namespace}`);
  expect((await client.call(listTags, { repo: "acme/nothing" })).body).toEqual({ message: "404 Project Not Found" });
});

test("keyset pagination, requested by the client's own params, is followed to the end", async () => {
  const params = JSON.stringify({ pagination: "keyset", order_by: "id", sort: "asc" });
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const { body } = await client.call(
      operation("listRepositories"),
      {},
      { limit: 90, params, ...(after ? { after } : {}) },
    );
    ids.push(...body.response.data.map(({ id }: any) => id));
    after = body.response.metadata.next;
  } while (after);
  expect(ids).toEqual(projects.map(({ id }) => id).sort((one, other) => one - other));
});

test("the client's own params cannot skip pages", async () => {
  const params = JSON.stringify({ page: 3, per_page: 1, cursor: "x", page_token: "y" });
  const { body } = await client.call(
    operation("listPullRequests"),
    { repo: projects[0]!.path_with_namespace },
    { limit: 20, params },
  );
  expect(body.response.data.map(({ number }: any) => number)).toEqual(
    [...Array(20).keys()].map((index) => 265 - index),
  );
});

test("a self-hosted server is called with its own access token", async () => {
  const selfHosted = await connectedBy(service, "gitlab", {
    type: "api_key",
    base_url: `${service.url}/sandbox/gitlab`,
  });
  const exchanges = await createClient(selfHosted, gitlab).exchanges(async () => {
    const { body } = await createClient(selfHosted, gitlab).call(operation("listRepositories"), {}, { limit: 3 });
    expect(body.response.data).toHaveLength(3);
  });
  expect(exchanges[0]!.request.headers.authorization).toMatch(/^Bearer /);
});

test.each([
  ["public", false],
  ["internal", true],
  ["private", true],
  [undefined, null],
])("a project with the visibility %s has is_private %s", (visibility, expected) => {
  const { updated_at: _, ...project } = projects[0]!;
  expect(toRepository({ ...project, visibility: visibility ?? null }).is_private).toBe(expected);
});

test("labels are listed by name, also if the client's own params ask GitLab for their details", () => {
  const { issues } = content.get(projects[0]!.id)!;
  expect(toIssue({ ...issues[0]!, labels: ["bug", { name: "größe" }] }).labels).toEqual(["bug", "größe"]);
});

test("commits of a branch start at its tip, and without a branch they are those of the default branch", async () => {
  const { path_with_namespace: repo, id } = projects[0]!;
  const { branches, commits } = content.get(id)!;
  const shas = async (query: Record<string, string>) =>
    (await client.walk(operation("listCommits"), { repo }, [100], query)).map(({ sha }) => sha);
  const { name, commit } = branches[1]!;
  expect(await shas({ branch: name })).toEqual([commit.id, ...commits.slice(1).map((each) => each.id)]);
  expect(await shas({})).toEqual(commits.map((each) => each.id));
});

test("comments are in the order in which they were written, with their pages, and without the system's notes", async () => {
  const { path_with_namespace: repo } = projects[0]!;
  const comments = await client.walk(operation("listIssueComments"), { repo, number: "310" }, [40]);
  expect(comments).toHaveLength(97);
  const times = comments.map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted());
  expect(comments.map(({ text }) => text)).not.toContain("added ~5 label");
  const [{ id, url }] = comments;
  expect(url).toMatch(new RegExp(`/${repo}/-/issues/310#note_${id}$`));
  const missing = await client.call(operation("listIssueComments"), { repo, number: "9999" });
  expect([missing.status, missing.body]).toEqual([404, { message: "404 Not found" }]);
});

test.each(["listIssues", "listPullRequests"] as const)("%s passes updated_since to GitLab", async (name) => {
  const updated_since = "2024-01-25T00:00:00.000Z";
  const params = { repo: projects[0]!.path_with_namespace };
  const exchanges = await client.exchanges(() => client.call(operation(name), params, { limit: 5, updated_since }));
  expect(exchanges.map(({ request }) => request.query.get("updated_after"))).toEqual([updated_since]);
});
