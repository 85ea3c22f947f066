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
import type { Answer, Query, Upstream } from "../../contracts/upstream.ts";
import { type ListedComment, logins, toCommit, toIssueComment } from "../../provider-kit/git-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, header, path, post, segments } from "../../provider-kit/request.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime, secondBefore } from "../../provider-kit/time.ts";
import { byName } from "../../provider-kit/write.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GiteaRepository {
  id: number;
  name: string;
  full_name: string;
  description?: string | null;
  html_url: string;
  created_at: string;
  updated_at: string;
  private?: boolean;
  empty?: boolean;
  default_branch?: string | null;
}
interface GiteaBranchInfo {
  /** The name of the branch. */
  label?: string;
  /** `refs/pull/…` once the branch was deleted. */
  ref?: string;
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
  head?: GiteaBranchInfo | null;
  base?: GiteaBranchInfo | null;
}
export interface GiteaIssue extends GiteaIssuable {
  closed_at?: string | null;
  labels?: { name: string }[] | null;
  assignees?: { login: string }[] | null;
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
  // Shown as typed, unlike the other descriptions.
  description: plainToMarkdown(repository.description),
  url: repository.html_url,
  created_at: firstTime(repository.created_at),
  updated_at: firstTime(repository.updated_at, repository.created_at),
  // The closest that Gitea has: a push changes it, but so does a changed setting.
  pushed_at: firstTime(repository.updated_at, repository.created_at),
  is_private: repository.private ?? null,
  // An empty repository has the name that its first branch will get.
  default_branch: repository.empty ? null : (repository.default_branch ?? null),
});

const toIssuable = (issuable: GiteaIssuable) => ({
  id: issuable.id,
  number: issuable.number,
  title: issuable.title,
  description: toText(issuable.body),
  state: issuable.state,
  url: issuable.html_url,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

const branchName = (branch: GiteaBranchInfo | null | undefined) => branch?.label || branch?.ref || null;

export const toPullRequest = (pull: GiteaPullRequest): PullRequest => ({
  ...toIssuable(pull),
  draft: pull.draft ?? false,
  state: pull.merged ? "merged" : pull.state,
  user: pull.user?.login ?? GHOST,
  merged_at: isoTime(pull.merged_at),
  source_branch: branchName(pull.head),
  target_branch: branchName(pull.base),
});

export const toIssue = (issue: GiteaIssue): Issue => ({
  ...toIssuable(issue),
  user: issue.user?.login ?? null,
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).map(({ name }) => name),
  assignees: logins(issue.assignees),
});

export const toRelease = (release: GiteaRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: toText(release.body) ?? "",
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
  pathOf: (input: Input) => string,
  record: (item: Item) => GitRecord,
  query: (input: Input) => Query = () => ({}),
) =>
  list({
    maxPageSize: MAX_PAGE_SIZE,
    // The list of branches is null in an empty repository.
    items: (body: Item[] | null) => body ?? [],
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query(input), { limit, page: 1, ...cursor }),
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

interface InRepository {
  repo: string;
}

const repositoryPath =
  (name: string) =>
  ({ repo }: InRepository) =>
    `/repos/${segments(repo)}/${name}`;

/** An issue takes the IDs of its labels. https://docs.gitea.com/api/ (issueCreateIssue) */
async function labelIds(repo: string, names: string[], upstream: Upstream): Promise<number[]> {
  const { body } = await upstream<{ id: number; name: string }[]>(
    get(repositoryPath("labels")({ repo }), { limit: MAX_PAGE_SIZE }),
  );
  return names.map((name) => byName("labels", name, body, (label) => label.name).id);
}

export default implement(git, {
  listRepositories: pagedList(() => "/user/repos", toRepository),
  listPullRequests: pagedList(repositoryPath("pulls"), toPullRequest, () => ({ state: "all" })),
  listIssues: {
    ...pagedList(
      repositoryPath("issues"),
      toIssue,
      // Without `type` the list would include pull requests.
      ({ updated_since }: InRepository & { updated_since?: string | undefined }) => ({
        state: "all",
        type: "issues",
        since: secondBefore(updated_since),
      }),
    ),
    filtersUpdatedSince: true,
  },
  listTags: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: GiteaTag[] | null) => body ?? [],
    next: nextTags,
    request: ({ input, limit, cursor }) => get(repositoryPath("tags")(input), {}, { limit, page: cursor?.page ?? 1 }),
    record: toTag,
  }),
  listReleases: pagedList(repositoryPath("releases"), toRelease, () => ({ draft: "false" })),
  listBranches: pagedList(repositoryPath("branches"), toBranch),
  listCommits: pagedList(
    repositoryPath("commits"),
    toCommit,
    // What is left out is not read, and slow to look up.
    ({ branch }: InRepository & { branch?: string | undefined }) => ({
      sha: branch,
      stat: "false",
      verification: "false",
      files: "false",
    }),
  ),
  // Returns all comments at once.
  listIssueComments: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    items: (body: ListedComment[] | null) => body ?? [],
    next: () => null,
    request: ({ input: { repo, number } }) => get(repositoryPath(path`issues/${number}/comments`)({ repo })),
    record: toIssueComment,
  }),
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream }) {
      const body = { title, body: description, labels: labels && (await labelIds(repo, labels, upstream)), assignees };
      return (await upstream<GiteaIssue>(post(repositoryPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(repositoryPath(path`issues/${number}/comments`)({ repo }), { body: text }),
    record: toIssueComment,
  }),
});
