import {
  defined,
  get,
  git,
  type InRepository,
  implement,
  type LinkQuery,
  linkHeader,
  list,
  type PageContext,
  path,
  type Query,
  quotedWords,
  repositoryPath,
  secondBefore,
  toCommit,
  toIssueComment,
  toRelease,
  toRepository,
  toTag,
} from "../../provider-kit/index.ts";
import { toBranch, toIssue, toPullRequest } from "./records.ts";
import { writes } from "./writes.ts";

interface PagedListOptions<Item, Input> {
  query?: (input: Input) => Query;
  /** What a client's own params may not change. */
  locked?: (input: Input) => Query;
  /** Drops items that are not records of the list. */
  keep?: (item: Item) => boolean;
  /** What `query` passes on. */
  filters?: readonly string[];
}

/** A list whose Link header names the next page. */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input, settings: PageContext["settings"]) => string,
  record: (item: Item) => GitRecord,
  { query, locked, keep, filters = [] }: PagedListOptions<Item, Input> = {},
) =>
  list({
    maxPageSize: 100,
    ...defined({ keep }),
    filters,
    items: (body: Item[] | { items: Item[] } | { repositories: Item[] }) =>
      Array.isArray(body) ? body : "items" in body ? body.items : body.repositories,
    next: linkHeader,
    request: ({ input, settings, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input, settings), query?.(input), { ...locked?.(input), per_page: limit, page: undefined, ...cursor }),
    record,
  });

interface Filtered {
  updated_since?: string | undefined;
}
interface IssueInput extends InRepository, Filtered {
  state?: string | undefined;
  query?: string | undefined;
}

/**
 * Only issues can be searched: what a search finds of a pull request lacks its branches.
 * https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests
 */
export const searchTerms = ({ repo, query = "", state, updated_since }: IssueInput): string =>
  [
    // No name has other characters, which could begin another term.
    `repo:${repo.replace(/[^\w./-]/g, "-")}`,
    "is:issue",
    ...(state === undefined ? [] : [`state:${state}`]),
    ...(updated_since === undefined ? [] : [`updated:>=${updated_since}`]),
    quotedWords(query),
  ].join(" ");

/** An installation of an app has no user. https://docs.github.com/en/rest/apps/installations */
const repositoriesPath = (_: Filtered, { installation_id }: PageContext["settings"]) =>
  installation_id === undefined ? "/user/repos" : "/installation/repositories";

export default implement(git, {
  listRepositories: pagedList(repositoriesPath, toRepository, {
    query: ({ updated_since }: Filtered) => ({ since: secondBefore(updated_since) }),
    filters: ["updated_since"],
  }),
  // There is no filter by time, and an order by it would skip what is updated during a walk.
  listPullRequests: pagedList(repositoryPath("pulls"), toPullRequest, {
    query: () => ({ state: "all" }),
    // What was merged is among those that were closed, and may be most of them.
    locked: ({ state }: IssueInput) => defined({ state: state === "merged" ? "closed" : state }),
  }),
  listIssues: pagedList(
    (input: IssueInput) => (input.query ? "/search/issues" : repositoryPath("issues")(input)),
    toIssue,
    {
      query: ({ query, updated_since }) => (query ? {} : { state: "all", since: secondBefore(updated_since) }),
      locked: (input) => (input.query ? { q: searchTerms(input) } : defined({ state: input.state })),
      filters: ["updated_since", "state", "query"],
      // The list includes pull requests: https://docs.github.com/en/rest/issues/issues#list-repository-issues
      keep: (issue) => !issue.pull_request,
    },
  ),
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
