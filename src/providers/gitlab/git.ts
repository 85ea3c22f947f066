import { hash } from "node:crypto";
import {
  type Branch,
  type Commit,
  git,
  type Issue,
  type IssueComment,
  type PullRequest,
  type Release,
  type Repository,
  type Tag,
} from "../../categories/git.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageContext } from "../../contracts/provider.ts";
import type { Query, Upstream } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GitLabProject {
  id: number;
  name: string;
  path_with_namespace: string;
  description?: string | null;
  web_url: string;
  created_at: string;
  /** Since GitLab 16. */
  updated_at?: string | null;
  last_activity_at?: string | null;
  visibility?: string | null;
  /** Missing if the user may not read the code, null if the repository is empty. */
  default_branch?: string | null;
}
interface GitLabIssuable {
  id: number;
  iid: number;
  title: string;
  description?: string | null;
  state: string;
  web_url: string;
  author?: { username: string } | null;
  created_at: string;
  updated_at: string;
}
export interface GitLabMergeRequest extends GitLabIssuable {
  draft?: boolean;
  /** Its name before GitLab 14. */
  work_in_progress?: boolean;
  merged_at?: string | null;
  source_branch?: string | null;
  target_branch?: string | null;
}
export interface GitLabIssue extends GitLabIssuable {
  closed_at?: string | null;
  /** Objects only if the client's own params ask for them. */
  labels?: (string | { name: string })[] | null;
  assignees?: { username: string }[] | null;
}
export interface GitLabTag {
  name: string;
  target: string;
  commit?: { id: string } | null;
}
export interface GitLabRelease {
  name?: string | null;
  /** Missing if the user may not read the code. */
  tag_name?: string | null;
  description?: string | null;
  created_at: string;
  released_at?: string | null;
  upcoming_release?: boolean | null;
  _links?: { self?: string };
}
export interface GitLabBranch {
  name: string;
  commit: { id: string };
  protected: boolean;
}
export interface GitLabCommit {
  id: string;
  message?: string | null;
  web_url: string;
  author_name?: string | null;
  author_email?: string | null;
  committed_date?: string | null;
  created_at?: string | null;
}
export interface GitLabNote {
  id: number;
  body?: string | null;
  author?: { id: number; name?: string | null; username: string } | null;
  created_at: string;
  system?: boolean;
}

/** The account that GitLab shows instead of a deleted one. */
const GHOST = "ghost";

/** A merge request is `locked` while it is being merged, and open again if that fails. */
const STATES: Record<string, string> = { opened: "open", locked: "open" };
const stateOf = ({ state }: GitLabIssuable) => STATES[state] ?? state;

export const toRepository = (project: GitLabProject): Repository => ({
  id: project.id,
  name: project.name,
  full_name: project.path_with_namespace,
  description: toText(project.description),
  url: project.web_url,
  created_at: firstTime(project.created_at),
  updated_at: firstTime(project.updated_at, project.last_activity_at, project.created_at),
  // The closest that GitLab has: a push changes it, but so does a comment.
  pushed_at: firstTime(project.last_activity_at, project.created_at),
  // An `internal` project is visible to the users of its server only.
  is_private: project.visibility ? project.visibility !== "public" : null,
  default_branch: project.default_branch ?? null,
});

const toIssuable = (issuable: GitLabIssuable) => ({
  id: issuable.id,
  number: issuable.iid,
  title: issuable.title,
  description: toText(issuable.description),
  state: stateOf(issuable),
  url: issuable.web_url,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

export const toPullRequest = (request: GitLabMergeRequest): PullRequest => ({
  ...toIssuable(request),
  draft: request.draft ?? request.work_in_progress ?? false,
  user: request.author?.username ?? GHOST,
  merged_at: isoTime(request.merged_at),
  source_branch: request.source_branch ?? null,
  target_branch: request.target_branch ?? null,
});

export const toIssue = (issue: GitLabIssue): Issue => ({
  ...toIssuable(issue),
  user: issue.author?.username ?? null,
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).map((label) => (typeof label === "string" ? label : label.name)),
  assignees: (issue.assignees ?? []).map(({ username }) => username),
});

/** A release has no numeric id. Its path contains project and tag, so 53 bits of the path's hash are a stable id. */
const releaseId = (url: string): number =>
  Number(hash("sha256", url.replace(/^https?:\/\/[^/]+/, ""), "buffer").readBigUInt64BE() >> 11n);

export function toRelease(release: GitLabRelease, projectUrl: string): Release {
  const tag = release.tag_name ?? "";
  const name = release.name || tag;
  const url = release._links?.self ?? `${projectUrl}/-/releases/${encodeURIComponent(tag || name)}`;
  return {
    id: releaseId(url),
    name,
    tag_name: tag,
    description: toText(release.description) ?? "",
    // The closest that GitLab has: the date of an upcoming release is in the future.
    prerelease: release.upcoming_release ?? false,
    url,
    created_at: firstTime(release.created_at),
    released_at: firstTime(release.released_at, release.created_at),
  };
}

// A tag may point to something other than a commit.
export const toTag = (tag: GitLabTag): Tag => ({ name: tag.name, commit_sha: tag.commit?.id ?? tag.target });

export const toBranch = (branch: GitLabBranch): Branch => ({
  name: branch.name,
  commit_sha: branch.commit.id,
  protected: branch.protected,
});

export const toCommit = (commit: GitLabCommit): Commit => ({
  sha: commit.id,
  message: toText(commit.message),
  url: commit.web_url,
  author: commit.author_name || null,
  author_email: commit.author_email || null,
  committed_at: isoTime(commit.committed_date ?? commit.created_at),
});

export const toIssueComment = ({ id, body, author, created_at }: GitLabNote, issueUrl: string): IssueComment => ({
  id: String(id),
  text: toText(body),
  author: author ? { id: String(author.id), name: author.name || author.username } : null,
  url: `${issueUrl}#note_${id}`,
  created_at: isoTime(created_at),
});

interface PagedListOptions<Item, Input> {
  query?: (input: Input) => Query;
  /** Drops items that are not records of the list. */
  keep?: (item: Item) => boolean;
  /** `query` passes `updated_since` on. */
  filtersUpdatedSince?: boolean;
}

/**
 * A list whose Link header names the next page, by number or by key if the client requested `pagination=keyset`:
 * https://docs.gitlab.com/api/rest/#pagination
 */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input) => string,
  record: (item: Item, context: PageContext<Input, LinkQuery>) => GitRecord,
  { query, keep, filtersUpdatedSince = false }: PagedListOptions<Item, Input> = {},
) =>
  list({
    maxPageSize: 100,
    ...(keep ? { sparse: true } : {}),
    filtersUpdatedSince,
    items: (body: Item[]) => (keep ? keepIf(body, keep) : body),
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query?.(input), {
        per_page: limit,
        page: undefined,
        page_token: undefined,
        cursor: undefined,
        ...cursor,
      }),
    record,
  });

interface InProject {
  repo: string;
}

/** A project is addressed by its path with encoded slashes: https://docs.gitlab.com/api/rest/#namespaced-paths */
const projectPath =
  (name: string) =>
  ({ repo }: InProject) =>
    `${path`/projects/${repo}`}/${name}`;

/** Issues and merge requests in any state. GitLab includes those updated at the time itself. */
const issuables = {
  query: ({ updated_since }: InProject & { updated_since?: string | undefined }) => ({
    state: "all",
    updated_after: updated_since,
  }),
  filtersUpdatedSince: true,
};

/** An issue takes the IDs of its assignees. https://docs.gitlab.com/api/users/#list-all-users */
async function userIds(names: string[], upstream: Upstream): Promise<number[]> {
  const found = await Promise.all(
    names.map((username) => upstream<{ id: number; username: string }[]>(get("/users", { username }))),
  );
  return found.map(({ body }, index) => {
    const [user] = body;
    if (!user) throw invalidInput({ path: ["body", "assignees"], message: `no user is named "${names[index]}"` });
    return user.id;
  });
}

export default implement(git, {
  // The filter by time needs an order by time, which would skip what is updated during a walk.
  // https://docs.gitlab.com/api/projects/#list-all-projects
  listRepositories: pagedList(() => "/projects", toRepository, { query: () => ({ membership: "true" }) }),
  listPullRequests: pagedList(projectPath("merge_requests"), toPullRequest, issuables),
  listIssues: pagedList(projectPath("issues"), toIssue, issuables),
  listTags: pagedList(projectPath("repository/tags"), toTag),
  listReleases: pagedList(projectPath("releases"), (release: GitLabRelease, { input, address }) =>
    toRelease(release, `${address("site")}/${input.repo}`),
  ),
  listBranches: pagedList(projectPath("repository/branches"), toBranch),
  listCommits: pagedList(projectPath("repository/commits"), toCommit, {
    query: ({ branch }: InProject & { branch?: string | undefined }) => ({ ref_name: branch }),
  }),
  listIssueComments: pagedList(
    ({ repo, number }: InProject & { number: string }) => projectPath(path`issues/${number}/notes`)({ repo }),
    (note: GitLabNote, { input: { repo, number }, address }) =>
      toIssueComment(note, `${address("site")}/${repo}/-/issues/${number}`),
    {
      query: () => ({ sort: "asc", order_by: "created_at" }),
      // What the system notes, such as a changed label.
      keep: ({ system }) => !system,
    },
  ),
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream }) {
      const assignee_ids = assignees && (await userIds(assignees, upstream));
      const body = { title, description, labels: labels?.join(","), assignee_ids };
      return (await upstream<GitLabIssue>(post(projectPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(projectPath(path`issues/${number}/notes`)({ repo }), { body: text }),
    record: (note: GitLabNote, { input: { repo, number }, address }) =>
      toIssueComment(note, `${address("site")}/${repo}/-/issues/${number}`),
  }),
});
