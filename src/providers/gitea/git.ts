import {
  defined,
  get,
  git,
  type InRepository,
  implement,
  type LinkQuery,
  type ListedComment,
  type ListedTag,
  linkHeader,
  list,
  type PageContext,
  path,
  type Query,
  repositoryPath,
  secondBefore,
  toCommit,
  toIssueComment,
  toRelease,
  toTag,
} from "../../provider-kit/index.ts";
import { MAX_PAGE_SIZE, nextCounted } from "./paging.ts";
import { toBranch, toGiteaRepository, toIssue, toPullRequest } from "./records.ts";
import { writes } from "./writes.ts";

interface IssueInput extends InRepository {
  updated_since?: string | undefined;
  state?: string | undefined;
  query?: string | undefined;
}

/** A list whose Link header names the next page. */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input) => string,
  record: (item: Item) => GitRecord,
  query: (input: Input) => Query = () => ({}),
  locked: (input: Input) => Query = () => ({}),
) =>
  list({
    maxPageSize: MAX_PAGE_SIZE,
    // The list of branches is null in an empty repository.
    items: (body: Item[] | null) => body ?? [],
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query(input), { ...locked(input), limit, page: 1, ...cursor }),
    record,
  });

export default implement(git, {
  listRepositories: pagedList(() => "/user/repos", toGiteaRepository),
  listPullRequests: pagedList(
    repositoryPath("pulls"),
    toPullRequest,
    () => ({ state: "all" }),
    // What was merged is among those that were closed, and may be most of them.
    ({ state }: IssueInput) => defined({ state: state === "merged" ? "closed" : state }),
  ),
  listIssues: {
    ...pagedList(
      repositoryPath("issues"),
      toIssue,
      // Without `type` the list would include pull requests.
      ({ updated_since }: IssueInput) => ({ state: "all", type: "issues", since: secondBefore(updated_since) }),
      ({ state, query }) => defined({ state, q: query }),
    ),
    filters: ["updated_since", "state", "query"],
  },
  listTags: list({
    maxPageSize: MAX_PAGE_SIZE,
    items: (body: ListedTag[] | null) => body ?? [],
    next: nextCounted,
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
  // Returns all comments in one response.
  listIssueComments: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    items: (body: ListedComment[] | null) => body ?? [],
    next: () => null,
    request: ({ input: { repo, number } }) => get(repositoryPath(path`issues/${number}/comments`)({ repo })),
    record: toIssueComment,
  }),
  ...writes,
});
