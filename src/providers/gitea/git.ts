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
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, header, segments } from "../../provider-kit/request.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GiteaRepository {
  id: number;
  name: string;
  full_name: string;
  description?: string | null;
  html_url: string;
  created_at: string;
  updated_at: string;
}
interface GiteaIssuable {
  id: number;
  number: number;
  title: string;
  body?: string | null;
  state: string;
  html_url: string;
  user?: { login: string } | null;
  created_at: string;
  updated_at: string;
}
export interface GiteaPullRequest extends GiteaIssuable {
  draft?: boolean;
  merged: boolean;
  merged_at?: string | null;
}
export interface GiteaIssue extends GiteaIssuable {
  closed_at?: string | null;
}
export interface GiteaTag {
  name: string;
  commit: { sha: string };
}
export interface GiteaRelease {
  id: number;
  name?: string | null;
  tag_name: string;
  body?: string | null;
  prerelease: boolean;
  html_url: string;
  created_at: string;
  published_at?: string | null;
}
export interface GiteaBranch {
  name: string;
  commit: { id: string };
  protected: boolean;
}

/** The account that Gitea shows instead of a deleted one. */
const GHOST = "Ghost";

export const toRepository = (repository: GiteaRepository): Repository => ({
  id: repository.id,
  name: repository.name,
  full_name: repository.full_name,
  description: repository.description ?? null,
  url: repository.html_url,
  created_at: firstTime(repository.created_at),
  updated_at: firstTime(repository.updated_at, repository.created_at),
  // The closest that Gitea has: a push changes it, but so does a changed setting.
  pushed_at: firstTime(repository.updated_at, repository.created_at),
});

const toIssuable = (issuable: GiteaIssuable) => ({
  id: issuable.id,
  number: issuable.number,
  title: issuable.title,
  description: issuable.body ?? null,
  state: issuable.state,
  url: issuable.html_url,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

export const toPullRequest = (pull: GiteaPullRequest): PullRequest => ({
  ...toIssuable(pull),
  draft: pull.draft ?? false,
  state: pull.merged ? "merged" : pull.state,
  user: pull.user?.login ?? GHOST,
  merged_at: isoTime(pull.merged_at),
});

export const toIssue = (issue: GiteaIssue): Issue => ({
  ...toIssuable(issue),
  user: issue.user?.login ?? null,
  closed_at: isoTime(issue.closed_at),
});

export const toRelease = (release: GiteaRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: release.body ?? "",
  prerelease: release.prerelease,
  url: release.html_url,
  created_at: firstTime(release.created_at),
  released_at: firstTime(release.published_at, release.created_at),
});

export const toTag = (tag: GiteaTag): Tag => ({ name: tag.name, commit_sha: tag.commit.sha });

export const toBranch = (branch: GiteaBranch): Branch => ({
  name: branch.name,
  commit_sha: branch.commit.id,
  protected: branch.protected,
});

/** Gitea's default; a server can be configured otherwise. */
const MAX_PAGE_SIZE = 50;

/** A list whose Link header names the next page. */
const pagedList = <Item, GitRecord, Input>(
  path: (input: Input) => string,
  record: (item: Item) => GitRecord,
  query: Record<string, string> = {},
) =>
  list({
    maxPageSize: MAX_PAGE_SIZE,
    // The list of branches is null in an empty repository.
    items: (body: Item[] | null) => body ?? [],
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(path(input), query, { limit, page: 1, ...cursor }),
    record,
  });

/** Lists of tags have a total but no Link header, and the server may return fewer items than requested. */
interface TagCursor {
  [name: string]: number;
  page: number;
  seen: number;
}

function nextTags(answer: Answer<unknown[] | null>, { cursor }: { cursor: TagCursor | undefined }): TagCursor | null {
  const items = answer.body ?? [];
  const seen = (cursor?.seen ?? 0) + items.length;
  const total = Number(header(answer, "x-total-count") ?? Number.POSITIVE_INFINITY);
  return items.length > 0 && seen < total ? { page: (cursor?.page ?? 1) + 1, seen } : null;
}

const repositoryPath =
  (name: string) =>
  ({ repo }: { repo: string }) =>
    `/repos/${segments(repo)}/${name}`;

export default implement(git, {
  listRepositories: pagedList(() => "/user/repos", toRepository),
  listPullRequests: pagedList(repositoryPath("pulls"), toPullRequest, { state: "all" }),
  // Without `type` the list would include pull requests.
  listIssues: pagedList(repositoryPath("issues"), toIssue, { state: "all", type: "issues" }),
  listTags: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GiteaTag[] | null) => body ?? [],
    next: nextTags,
    request: ({ input, limit, cursor }) => get(repositoryPath("tags")(input), {}, { limit, page: cursor?.page ?? 1 }),
    record: toTag,
  }),
  listReleases: pagedList(repositoryPath("releases"), toRelease, { draft: "false" }),
  listBranches: pagedList(repositoryPath("branches"), toBranch),
});
