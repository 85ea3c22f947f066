// Runs a third-party GitLab client against the emulator, as its users run it against GitLab.
import { randomBytes } from "node:crypto";
import {
  type BranchSchema,
  type CommitSchema,
  type GitbeakerRequestError,
  Gitlab,
  type IssueNoteSchema,
  type IssueSchema,
  type MergeRequestSchema,
  type ProjectSchema,
  type ReleaseSchema,
  type TagSchema,
} from "@gitbeaker/rest";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../sandbox/index.ts";
import manifest from "../manifest.ts";
import type { branch, issue, mergeRequest, project, release, tag } from "./data.ts";
import type { history, notes } from "./history.ts";
import emulator from "./index.ts";
import { makeState } from "./state.ts";

// Compile-time check: the emulator's data fits the client's types of GitLab's responses, which leave out most of the
// nulls.
type Loose<T> = (T extends object ? { [Field in keyof T]: Loose<T[Field]> } : T) | null;
type Described<Make extends (...values: any[]) => unknown, Schema, Wrong = never> = {
  [Field in Exclude<keyof ReturnType<Make> & keyof Schema, Wrong>]?: Loose<Schema[Field]>;
};
({}) as ReturnType<typeof project> satisfies Described<typeof project, ProjectSchema>;
({}) as ReturnType<typeof mergeRequest> satisfies Described<typeof mergeRequest, MergeRequestSchema>;
({}) as ReturnType<typeof issue> satisfies Described<typeof issue, IssueSchema, "closed_by">; // a user, not a string
({}) as ReturnType<typeof tag> satisfies Described<typeof tag, TagSchema>;
({}) as ReturnType<typeof release> satisfies Described<typeof release, ReleaseSchema, "assets">; // one field was removed
({}) as ReturnType<typeof branch> satisfies Described<typeof branch, BranchSchema>;
type Item<Make extends (...values: any[]) => unknown[]> = () => ReturnType<Make>[number];
({}) as ReturnType<typeof history>[number] satisfies Described<Item<typeof history>, CommitSchema>;
({}) as ReturnType<typeof notes>[number] satisfies Described<Item<typeof notes>, IssueNoteSchema>;

const server = Fastify();
const { projects } = makeState();
const { path_with_namespace: large, id } = projects[0]!;
let sandbox: Sandbox;
let host: string;
let client: InstanceType<typeof Gitlab<false>>;

beforeAll(async () => {
  sandbox = createSandbox({
    providers: [{ manifest, categories: [] }],
    emulators: { gitlab: emulator },
    secret: randomBytes(32),
  });
  await server.register(sandbox.plugin, { prefix: "/sandbox" });
  host = `${await server.listen({ port: 0, host: "127.0.0.1" })}/sandbox/gitlab`;
  client = new Gitlab({ host, token: sandbox.credentials("gitlab", "api_key").credentials.token! });
});
afterAll(() => server.close());

test("the client reads the current user", async () => {
  expect((await client.Users.showCurrentUser()).username).toBe("sandbox");
});

test("the client reads every list to the end by its Link headers", async () => {
  const paging = { perPage: 100 };
  expect((await client.Projects.all({ membership: true, ...paging })).map((project) => project.id)).toEqual(
    projects.map((project) => project.id),
  );
  expect(await client.MergeRequests.all({ projectId: large, ...paging })).toHaveLength(265);
  expect(await client.Issues.all({ projectId: large, ...paging })).toHaveLength(310);
  expect(await client.Tags.all(large, paging)).toHaveLength(255);
  expect(await client.ProjectReleases.all(large, paging)).toHaveLength(280);
  expect(await client.Branches.all(large, paging)).toHaveLength(260);
  expect(await client.Commits.all(large, paging)).toHaveLength(270);
  expect(await client.IssueNotes.all(large, 310, paging)).toHaveLength(130);
});

test("membership=1 means the same as membership=true, as other clients send it", async () => {
  const count = async (membership: string) => {
    const response = await fetch(`${host}/api/v4/projects?membership=${membership}`, {
      headers: { "private-token": sandbox.credentials("gitlab", "api_key").credentials.token! },
    });
    return Number(response.headers.get("x-total"));
  };
  expect(await count("true")).toBe(projects.length);
  expect(await count("1")).toBe(projects.length);
  expect(await count("0")).toBe(0);
});

test("the client reads all projects by keyset pagination", async () => {
  const found = await client.Projects.all({
    membership: true,
    perPage: 100,
    pagination: "keyset",
    orderBy: "id",
    sort: "desc",
  });
  expect(found.map((project) => project.id)).toEqual(projects.map((project) => project.id));
});

test("a project can be addressed by its id or by its path, which is not case-sensitive", async () => {
  for (const project of [large, large.toUpperCase(), id]) expect((await client.Projects.show(project)).id).toBe(id);
});

test("merge requests are filtered by state, and an unknown state of issues is refused", async () => {
  const opened = await client.MergeRequests.all({ projectId: id, state: "opened", perPage: 100 });
  expect(new Set(opened.map(({ state }) => state))).toEqual(new Set(["opened"]));
  const refused = client.Issues.all({ projectId: id, state: "locked" });
  await expect(refused).rejects.toMatchObject({ cause: { description: "state does not have a valid value" } });
});

test("an invalid token and an unknown project are refused with GitLab's messages", async () => {
  const unauthorized = new Gitlab({ host, token: "made-up" });
  await expect(unauthorized.Users.showCurrentUser()).rejects.toMatchObject({
    cause: { description: "401 Unauthorized" },
  });
  const missing: GitbeakerRequestError = await client.Projects.show("acme/none").catch((error) => error);
  expect(missing.cause?.description).toBe("404 Project Not Found");
});

test("an expired token and a revoked token are refused with different messages", async () => {
  const { token } = sandbox.credentials("gitlab", "oauth2").credentials;
  const readUser = async () =>
    (await fetch(`${host}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).json();
  const injectedFault = { provider: "gitlab", expire_tokens: true };
  await fetch(`${host}/../_faults`, { method: "POST", body: JSON.stringify(injectedFault) });
  expect(await readUser()).toMatchObject({
    error: "invalid_token",
    error_description: expect.stringMatching(/^Token is expired/),
  });
  await fetch(`${host}/oauth/revoke`, { method: "POST", body: new URLSearchParams({ token: token! }) });
  expect(await readUser()).toMatchObject({
    error: "invalid_token",
    error_description: expect.stringMatching(/^Token was revoked/),
  });
});
