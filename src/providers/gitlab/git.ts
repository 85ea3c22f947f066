import { hash } from "node:crypto";
import {
  type Branch,
  git,
  type Issue,
  type PullRequest,
  type Release,
  type Repository,
  type Tag,
} from "../../categories/git.ts";
import type { PageContext } from "../../contracts/provider.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, path } from "../../provider-kit/request.ts";
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
  merged_at?: string | null;
}
export interface GitLabIssue extends GitLabIssuable {
  closed_at?: string | null;
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

/** The account that GitLab shows instead of a deleted one. */
const GHOST = "ghost";

/** A merge request is `locked` while it is being merged, and open again if that fails. */
const STATES: Record<string, string> = { opened: "open", locked: "open" };
const stateOf = ({ state }: GitLabIssuable) => STATES[state] ?? state;

export const toRepository = (project: GitLabProject): Repository => ({
  id: project.id,
  name: project.name,
  full_name: project.path_with_namespace,
  description: project.description ?? null,
  url: project.web_url,
  created_at: firstTime(project.created_at),
  updated_at: firstTime(project.updated_at, project.last_activity_at, project.created_at),
  // The closest that GitLab has: a push changes it, but so does a comment.
  pushed_at: firstTime(project.last_activity_at, project.created_at),
});

const toIssuable = (issuable: GitLabIssuable) => ({
  id: issuable.id,
  number: issuable.iid,
  title: issuable.title,
  description: issuable.description ?? null,
  state: stateOf(issuable),
  url: issuable.web_url,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

export const toPullRequest = (request: GitLabMergeRequest): PullRequest => ({
  ...toIssuable(request),
  draft: request.draft ?? false,
  user: request.author?.username ?? GHOST,
  merged_at: isoTime(request.merged_at),
});

export const toIssue = (issue: GitLabIssue): Issue => ({
  ...toIssuable(issue),
  user: issue.author?.username ?? null,
  closed_at: isoTime(issue.closed_at),
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
    description: release.description ?? "",
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

/**
 * A list whose Link header names the next page, by number or by key if the client requested `pagination=keyset`:
 * https://docs.gitlab.com/api/rest/#pagination
 */
const pagedList = <Item, GitRecord, Input>(
  path: (input: Input) => string,
  record: (item: Item, context: PageContext<Input, LinkQuery>) => GitRecord,
  query: Record<string, string> = {},
) =>
  list({
    maxPageSize: 100,
    items: (body: Item[]) => body,
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(path(input), query, {
        per_page: limit,
        page: undefined,
        page_token: undefined,
        cursor: undefined,
        ...cursor,
      }),
    record,
  });

/** A project is addressed by its path with encoded slashes: https://docs.gitlab.com/api/rest/#namespaced-paths */
const projectPath =
  (name: string) =>
  ({ repo }: { repo: string }) =>
    `${path`/projects/${repo}`}/${name}`;

export default implement(git, {
  listRepositories: pagedList(() => "/projects", toRepository, { membership: "true" }),
  listPullRequests: pagedList(projectPath("merge_requests"), toPullRequest, { state: "all" }),
  listIssues: pagedList(projectPath("issues"), toIssue, { state: "all" }),
  listTags: pagedList(projectPath("repository/tags"), toTag),
  listReleases: pagedList(projectPath("releases"), (release: GitLabRelease, { input, address }) =>
    toRelease(release, `${address("site")}/${input.repo}`),
  ),
  listBranches: pagedList(projectPath("repository/branches"), toBranch),
});
