// A GitLab client of others' making, run against the emulation as its users would run it against GitLab.
import { randomBytes } from "node:crypto";
import {
  type BranchSchema,
  type GitbeakerRequestError,
  Gitlab,
  type IssueSchema,
  type MergeRequestSchema,
  type ProjectSchema,
  type ReleaseSchema,
  type TagSchema,
} from "@gitbeaker/rest";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../sandbox/index.ts";
import manifest from "./manifest.ts";
import emulator from "./sandbox.ts";
import {
  type branch,
  type issue,
  makeState,
  type mergeRequest,
  type project,
  type release,
  type tag,
} from "./sandbox-data.ts";

// The emulator's data is what the client says that GitLab answers with: a compile-time check. The client's types leave
// out most of the nulls.
type Loose<T> = (T extends object ? { [Field in keyof T]: Loose<T[Field]> } : T) | null;
type Held<Make extends (...values: any[]) => unknown, Theirs, Wrong = never> = {
  [Field in Exclude<keyof ReturnType<Make> & keyof Theirs, Wrong>]?: Loose<Theirs[Field]>;
};
({}) as ReturnType<typeof project> satisfies Held<typeof project, ProjectSchema>;
({}) as ReturnType<typeof mergeRequest> satisfies Held<typeof mergeRequest, MergeRequestSchema>;
({}) as ReturnType<typeof issue> satisfies Held<typeof issue, IssueSchema, "closed_by">; // that is a person, and no text
({}) as ReturnType<typeof tag> satisfies Held<typeof tag, TagSchema>;
({}) as ReturnType<typeof release> satisfies Held<typeof release, ReleaseSchema, "assets">; // they have lost a field since
({}) as ReturnType<typeof branch> satisfies Held<typeof branch, BranchSchema>;

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

test("it knows who it is", async () => {
  expect((await client.Users.showCurrentUser()).username).toBe("sandbox");
});

test("it walks each list to its end, by the Link header of each page", async () => {
  const page = { perPage: 100 };
  expect((await client.Projects.all({ membership: true, ...page })).map((project) => project.id)).toEqual(
    projects.map((project) => project.id),
  );
  expect(await client.MergeRequests.all({ projectId: large, ...page })).toHaveLength(265);
  expect(await client.Issues.all({ projectId: large, ...page })).toHaveLength(310);
  expect(await client.Tags.all(large, page)).toHaveLength(255);
  expect(await client.ProjectReleases.all(large, page)).toHaveLength(280);
  expect(await client.Branches.all(large, page)).toHaveLength(260);
});

test("it walks the projects by their keys", async () => {
  const found = await client.Projects.all({
    membership: true,
    perPage: 100,
    pagination: "keyset",
    orderBy: "id",
    sort: "desc",
  });
  expect(found.map((project) => project.id)).toEqual(projects.map((project) => project.id));
});

test("a path, in any case, and a number lead to the same project", async () => {
  for (const project of [large, large.toUpperCase(), id]) expect((await client.Projects.show(project)).id).toBe(id);
});

test("it filters by state, and is refused one that there is not", async () => {
  const opened = await client.MergeRequests.all({ projectId: id, state: "opened", perPage: 100 });
  expect(new Set(opened.map(({ state }) => state))).toEqual(new Set(["opened"]));
  const refused = client.Issues.all({ projectId: id, state: "locked" });
  await expect(refused).rejects.toMatchObject({ cause: { description: "state does not have a valid value" } });
});

test("a token that is no good, and a project that is not there", async () => {
  const stranger = new Gitlab({ host, token: "made-up" });
  await expect(stranger.Users.showCurrentUser()).rejects.toMatchObject({ cause: { description: "401 Unauthorized" } });
  const missing: GitbeakerRequestError = await client.Projects.show("acme/none").catch((error) => error);
  expect(missing.cause?.description).toBe("404 Project Not Found");
});

test("a token that has expired is told from one that was revoked", async () => {
  const { token } = sandbox.credentials("gitlab", "oauth2").credentials;
  const ask = async () =>
    (await fetch(`${host}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).json();
  const fault = { provider: "gitlab", expire_tokens: true };
  await fetch(`${host}/../_faults`, { method: "POST", body: JSON.stringify(fault) });
  expect(await ask()).toMatchObject({
    error: "invalid_token",
    error_description: expect.stringMatching(/^Token is expired/),
  });
  await fetch(`${host}/oauth/revoke`, { method: "POST", body: new URLSearchParams({ token: token! }) });
  expect(await ask()).toMatchObject({
    error: "invalid_token",
    error_description: expect.stringMatching(/^Token was revoked/),
  });
});
