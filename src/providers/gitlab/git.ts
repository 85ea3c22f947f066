import {
  defined,
  get,
  git,
  implement,
  type LinkQuery,
  linkHeader,
  list,
  type PageContext,
  path,
  type Query,
} from "../../provider-kit/index.ts";
import {
  type GitLabNote,
  type GitLabRelease,
  type InProject,
  projectPath,
  toBranch,
  toCommit,
  toIssue,
  toIssueComment,
  toPullRequest,
  toRelease,
  toRepository,
  toTag,
} from "./records.ts";
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

/**
 * A list whose Link header names the next page, by number or by key if the client requested `pagination=keyset`:
 * https://docs.gitlab.com/api/rest/#pagination
 */
const pagedList = <Item, GitRecord, Input>(
  pathOf: (input: Input) => string,
  record: (item: Item, context: PageContext<Input, LinkQuery>) => GitRecord,
  { query, locked, keep, filters = [] }: PagedListOptions<Item, Input> = {},
) =>
  list({
    maxPageSize: 100,
    ...defined({ keep }),
    filters,
    items: (body: Item[]) => body,
    next: linkHeader,
    request: ({ input, limit, cursor }: PageContext<Input, LinkQuery>) =>
      get(pathOf(input), query?.(input), {
        ...locked?.(input),
        per_page: limit,
        page: undefined,
        page_token: undefined,
        cursor: undefined,
        ...cursor,
      }),
    record,
  });

interface IssuableInput extends InProject {
  updated_since?: string | undefined;
  state?: string | undefined;
  query?: string | undefined;
}

/**
 * Issues and merge requests in any state. GitLab includes those updated at the time itself. `states` has its names of
 * states. A search is by title and description: https://docs.gitlab.com/api/issues/#list-all-project-issues
 */
const issuables = (states: Record<string, string>, filters: string[]) => ({
  query: ({ updated_since }: IssuableInput) => ({ state: "all", updated_after: updated_since }),
  locked: ({ state = "", query }: IssuableInput) => defined({ state: states[state], search: query }),
  filters: ["updated_since", "query", ...filters],
});

export default implement(git, {
  // The filter by time needs an order by time, which would skip what is updated during a walk.
  // https://docs.gitlab.com/api/projects/#list-all-projects
  listRepositories: pagedList(() => "/projects", toRepository, { query: () => ({ membership: "true" }) }),
  // An open one may be `opened` or `locked`.
  listPullRequests: pagedList(
    projectPath("merge_requests"),
    toPullRequest,
    issuables({ closed: "closed", merged: "merged" }, []),
  ),
  listIssues: pagedList(projectPath("issues"), toIssue, issuables({ open: "opened", closed: "closed" }, ["state"])),
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
  ...writes,
});
