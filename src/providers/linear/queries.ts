// The client's `params` become variables, so it can filter and sort. Fields that the records do not need are selected for
// clients that use `include_raw`.

/** Labels cost as much as all other fields together, and an issue has few. */
const issueFields = (type: string) => `fragment IssueFields on ${type} {
  id identifier title description url priority priorityLabel dueDate
  createdAt updatedAt completedAt canceledAt archivedAt
  state { id name type }
  team { id key name }
  project { id name }
  assignee { id name displayName }
  parent { id identifier }
  labels(first: 50) { nodes { id name } }
}`;
const ISSUE = issueFields("Issue");

const PAGE_INFO = "pageInfo { hasNextPage endCursor }";

const LIST_VARIABLES = "$first: Int!, $after: String, $orderBy: PaginationOrderBy, $includeArchived: Boolean";
const LIST_ARGUMENTS = "first: $first, after: $after, orderBy: $orderBy, includeArchived: $includeArchived";

const ISSUES = `issues(${LIST_ARGUMENTS}, filter: $filter) { nodes { ...IssueFields } ${PAGE_INFO} }`;

export const LIST_ISSUES = `query ListIssues(${LIST_VARIABLES}, $filter: IssueFilter) {
  ${ISSUES}
}
${ISSUE}`;

/** What is found has a type of its own, with the same fields. */
export const SEARCH_ISSUES = `query SearchIssues($term: String!, ${LIST_VARIABLES}, $filter: IssueFilter) {
  searchIssues(term: $term, ${LIST_ARGUMENTS}, filter: $filter) { nodes { ...IssueFields } ${PAGE_INFO} }
}
${issueFields("IssueSearchResult")}`;

/** By its project: unlike a filter, this fails for a project that does not exist. */
export const LIST_PROJECT_ISSUES = `query ListProjectIssues(
  $project: String!, ${LIST_VARIABLES}, $filter: IssueFilter
) {
  project(id: $project) { ${ISSUES} }
}
${ISSUE}`;

export const GET_ISSUE = `query GetIssue($id: String!) {
  issue(id: $id) { ...IssueFields }
}
${ISSUE}`;

export const LIST_PROJECTS = `query ListProjects(${LIST_VARIABLES}, $filter: ProjectFilter) {
  projects(${LIST_ARGUMENTS}, filter: $filter) {
    nodes { id name description url createdAt updatedAt archivedAt }
    ${PAGE_INFO}
  }
}`;

const COMMENT = `fragment CommentFields on Comment {
  id body url createdAt updatedAt
  parent { id }
  user { id name displayName }
  externalUser { id name displayName }
  botActor { id name userDisplayName }
}`;

export const LIST_COMMENTS = `query ListComments($issue: String!, ${LIST_VARIABLES}, $filter: CommentFilter) {
  issue(id: $issue) {
    comments(${LIST_ARGUMENTS}, filter: $filter) {
      nodes { ...CommentFields }
      ${PAGE_INFO}
    }
  }
}
${COMMENT}`;

const TEAM = "id states(first: 100) { nodes { id name } }";

/** A project belongs to one team or to several, and an issue to one of them. */
export const GET_PROJECT_TEAMS = `query GetProjectTeams($id: String!) {
  project(id: $id) { teams(first: 20) { nodes { ${TEAM} } } }
}`;

export const GET_ISSUE_TEAM = `query GetIssueTeam($id: String!) {
  issue(id: $id) { team { ${TEAM} } }
}`;

export const LIST_LABELS = `query ListLabels($after: String) {
  issueLabels(first: 250, after: $after) { nodes { id name isGroup team { id } } ${PAGE_INFO} }
}`;

export const CREATE_ISSUE = `mutation CreateIssue($input: IssueCreateInput!) {
  issueCreate(input: $input) { success issue { ...IssueFields } }
}
${ISSUE}`;

export const UPDATE_ISSUE = `mutation UpdateIssue($id: String!, $input: IssueUpdateInput!) {
  issueUpdate(id: $id, input: $input) { success issue { ...IssueFields } }
}
${ISSUE}`;

export const CREATE_COMMENT = `mutation CreateComment($input: CommentCreateInput!) {
  commentCreate(input: $input) { success comment { ...CommentFields } }
}
${COMMENT}`;
