import { git } from "../../categories/git.ts";
import type { PageContext } from "../../contracts/provider.ts";
import type { Query } from "../../contracts/upstream.ts";
import {
  type InRepository,
  repositoryPath,
  toCommit,
  toIssueComment,
  toRelease,
  toRepository,
  toTag,
} from "../../provider-kit/git-records.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { defined } from "../../provider-kit/optional.ts";
import { type LinkQuery, linkHeader } from "../../provider-kit/paging.ts";
import { get, path } from "../../provider-kit/request.ts";
import { secondBefore } from "../../provider-kit/time.ts";
import { toBranch, toIssue, toPullRequest } from "./records.ts";
import { writes } from "./writes.ts";

interface PagedListOptions<Item, Input> {
  query?: (input: Input) => Query;
  /** Drops items that are not records of the list. */
  keep?: (item: Item) => boolean;
  /** What `query` passes on. */
  filters?: readonly string[];
}

/** A list whose Link header names the next page. */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input) => string,
  record: (item: Item) => GitRecord,
  { query, keep, filters = [] }: PagedListOptions<Item, Input> = {},
) =>
  list({
    maxPageSize: 100,
    ...defined({ keep }),
    filters,
    items: (body: Item[]) => body,
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query?.(input), { per_page: limit, page: undefined, ...cursor }),
    record,
  });

interface Filtered {
  updated_since?: string | undefined;
}

export default implement(git, {
  listRepositories: pagedList(() => "/user/repos", toRepository, {
    query: ({ updated_since }: Filtered) => ({ since: secondBefore(updated_since) }),
    filters: ["updated_since"],
  }),
  // There is no filter by time, and an order by it would skip what is updated during a walk.
  listPullRequests: pagedList(repositoryPath("pulls"), toPullRequest, { query: () => ({ state: "all" }) }),
  listIssues: pagedList(repositoryPath("issues"), toIssue, {
    query: ({ updated_since }: InRepository & Filtered) => ({ state: "all", since: secondBefore(updated_since) }),
    filters: ["updated_since"],
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
  ...writes,
});
