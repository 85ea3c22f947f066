import { type Ticket, ticketing } from "../../categories/ticketing.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { graphql } from "../../provider-kit/request.ts";
import { firstTime } from "../../provider-kit/time.ts";

// Only the fields that are read.
export interface LinearIssue {
  id: string;
  title: string;
  description: string | null;
  url: string;
  createdAt: string;
  updatedAt: string;
  state: { name: string };
}
interface LinearIssues {
  data: { issues: { nodes: LinearIssue[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } };
}

/**
 * The client's `params` become variables, so it can filter and sort. Fields that a ticket does not need are selected
 * for clients that use `include_raw`.
 */
export const LIST_ISSUES = `query ListIssues(
  $first: Int!
  $after: String
  $filter: IssueFilter
  $orderBy: PaginationOrderBy
  $includeArchived: Boolean
) {
  issues(first: $first, after: $after, filter: $filter, orderBy: $orderBy, includeArchived: $includeArchived) {
    nodes { id identifier title description url priority createdAt updatedAt archivedAt state { id name type } }
    pageInfo { hasNextPage endCursor }
  }
}`;

export const toTicket = (issue: LinearIssue): Ticket => ({
  id: issue.id,
  title: issue.title,
  status: issue.state.name,
  url: issue.url,
  description: issue.description ?? null,
  created_at: firstTime(issue.createdAt),
  updated_at: firstTime(issue.updatedAt, issue.createdAt),
});

export default implement(ticketing, {
  listTickets: list({
    // https://linear.app/developers/pagination
    maxPageSize: 250,
    items: ({ data }: LinearIssues) => data.issues.nodes,
    // The last page has an end cursor as well.
    next: ({ body }: { body: LinearIssues }) => {
      const { hasNextPage, endCursor } = body.data.issues.pageInfo;
      return hasNextPage ? endCursor : null;
    },
    request: ({ limit, cursor }) => graphql(LIST_ISSUES, {}, { first: limit, after: cursor }),
    record: toTicket,
  }),
});
