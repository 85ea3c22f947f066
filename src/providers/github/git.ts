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
import type { Query } from "../../contracts/upstream.ts";
import { logins, toCommit, toIssueComment } from "../../provider-kit/git-records.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, path, post, segments } from "../../provider-kit/request.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime, secondBefore } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GitHubRepository {
  id: number;
  name: string;
  full_name: string;
  description: string | null;
  html_url: string;
  created_at: string | null;
  updated_at: string | null;
  pushed_at: string | null;
  private?: boolean;
  default_branch?: string | null;
}
export interface GitHubPullRequest {
  id: number;
  number: number;
  title: string;
  body: string | null;
  draft?: boolean;
  state: string;
  html_url: string;
  user: { login: string } | null;
  created_at: string;
  updated_at: string;
  merged_at: string | null;
  head?: { ref: string } | null;
  base?: { ref: string } | null;
}
export interface GitHubIssue {
  id: number;
  number: number;
  title: string;
  body?: string | null;
  state: string;
  html_url: string;
  user: { login: string } | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  labels?: (string | { name?: string })[];
  assignees?: { login: string }[] | null;
  pull_request?: unknown;
}
export interface GitHubRelease {
  id: number;
  name: string | null;
  tag_name: string;
  body?: string | null;
  draft: boolean;
  prerelease: boolean;
  html_url: string;
  created_at: string;
  published_at: string | null;
}
export interface GitHubTag {
  name: string;
  commit: { sha: string };
}
export interface GitHubBranch extends GitHubTag {
  protected: boolean;
}

/** The account that GitHub shows instead of a deleted one. */
const GHOST = "ghost";

export const toRepository = (repository: GitHubRepository): Repository => ({
  id: repository.id,
  name: repository.name,
  full_name: repository.full_name,
  // Shown as typed, unlike the other descriptions.
  description: plainToMarkdown(repository.description),
  url: repository.html_url,
  created_at: firstTime(repository.created_at),
  updated_at: firstTime(repository.updated_at, repository.created_at),
  // Null until the first push.
  pushed_at: firstTime(repository.pushed_at, repository.created_at),
  is_private: repository.private ?? null,
  default_branch: repository.default_branch ?? null,
});

export const toPullRequest = (pull: GitHubPullRequest): PullRequest => ({
  id: pull.id,
  number: pull.number,
  title: pull.title,
  description: toText(pull.body),
  draft: pull.draft ?? false,
  state: pull.merged_at ? "merged" : pull.state,
  url: pull.html_url,
  user: pull.user?.login ?? GHOST,
  created_at: firstTime(pull.created_at),
  updated_at: firstTime(pull.updated_at),
  merged_at: isoTime(pull.merged_at),
  source_branch: pull.head?.ref ?? null,
  target_branch: pull.base?.ref ?? null,
});

export const toIssue = (issue: GitHubIssue): Issue => ({
  id: issue.id,
  number: issue.number,
  title: issue.title,
  description: toText(issue.body),
  state: issue.state,
  url: issue.html_url,
  user: issue.user?.login ?? null,
  created_at: firstTime(issue.created_at),
  updated_at: firstTime(issue.updated_at),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
  assignees: logins(issue.assignees),
});

export const toRelease = (release: GitHubRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: toText(release.body) ?? "",
  prerelease: release.prerelease,
  url: release.html_url,
  created_at: firstTime(release.created_at),
  released_at: firstTime(release.published_at, release.created_at),
});

export const toTag = (tag: GitHubTag): Tag => ({ name: tag.name, commit_sha: tag.commit.sha });
export const toBranch = (branch: GitHubBranch): Branch => ({ ...toTag(branch), protected: branch.protected });

interface PagedListOptions<Item, Input> {
  query?: (input: Input) => Query;
  /** Drops items that are not records of the list. */
  keep?: (item: Item) => boolean;
  /** `query` passes `updated_since` on. */
  filtersUpdatedSince?: boolean;
}

/** A list whose Link header names the next page. */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input) => string,
  record: (item: Item) => GitRecord,
  { query, keep, filtersUpdatedSince = false }: PagedListOptions<Item, Input> = {},
) =>
  list({
    maxPageSize: 100,
    ...(keep ? { sparse: true } : {}),
    filtersUpdatedSince,
    items: (body: Item[]) => (keep ? keepIf(body, keep) : body),
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query?.(input), { per_page: limit, page: undefined, ...cursor }),
    record,
  });

interface InRepository {
  repo: string;
}
interface Filtered {
  updated_since?: string | undefined;
}

const repositoryPath =
  (name: string) =>
  ({ repo }: InRepository) =>
    `/repos/${segments(repo)}/${name}`;

export default implement(git, {
  listRepositories: pagedList(() => "/user/repos", toRepository, {
    query: ({ updated_since }: Filtered) => ({ since: secondBefore(updated_since) }),
    filtersUpdatedSince: true,
  }),
  // There is no filter by time, and an order by it would skip what is updated during a walk.
  listPullRequests: pagedList(repositoryPath("pulls"), toPullRequest, { query: () => ({ state: "all" }) }),
  listIssues: pagedList(repositoryPath("issues"), toIssue, {
    query: ({ updated_since }: InRepository & Filtered) => ({ state: "all", since: secondBefore(updated_since) }),
    filtersUpdatedSince: true,
    // The list includes pull requests: https://docs.github.com/en/rest/issues/issues#list-repository-issues
    keep: (issue) => !issue.pull_request,
  }),
  listTags: pagedList(repositoryPath("tags"), toTag),
  listReleases: pagedList(repositoryPath("releases"), toRelease, {
    // Drafts are not published. They are listed only for users with push access.
    keep: (release) => !release.draft,
  }),
  listBranches: pagedList(repositoryPath("branches"), toBranch),
  listCommits: pagedList(repositoryPath("commits"), toCommit, {
    query: ({ branch }: InRepository & { branch?: string | undefined }) => ({ sha: branch }),
  }),
  listIssueComments: pagedList(
    ({ repo, number }: InRepository & { number: string }) => repositoryPath(path`issues/${number}/comments`)({ repo }),
    toIssueComment,
  ),
  createIssue: one({
    request: ({ input: { repo, title, description, labels, assignees } }) =>
      post(repositoryPath("issues")({ repo }), { title, body: description, labels, assignees }),
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(repositoryPath(path`issues/${number}/comments`)({ repo }), { body: text }),
    record: toIssueComment,
  }),
});
