import { buildSchema } from "../../../emulator-kit/graphql.ts";

const PAGE = "after: String, first: Int, includeArchived: Boolean, orderBy: PaginationOrderBy";
const TIMES = "archivedAt: DateTime createdAt: DateTime! updatedAt: DateTime!";

const CONNECTIONS = ["Issue", "Project", "Comment", "IssueLabel", "WorkflowState", "Team"].map(
  (type) => `type ${type}Connection { nodes: [${type}!]! pageInfo: PageInfo! }`,
);

/** What a mutation may set in a new or a known issue. */
const ISSUE_INPUT = `
  assigneeId: String
  description: String
  dueDate: TimelessDate
  labelIds: [String!]
  parentId: String
  priority: Int
  projectId: String
  stateId: String
  title: String`;

const ISSUE = `
  id: ID!
  ${TIMES}
  assignee: User
  canceledAt: DateTime
  comments(${PAGE}, filter: CommentFilter): CommentConnection!
  completedAt: DateTime
  description: String
  dueDate: TimelessDate
  identifier: String!
  labels(${PAGE}): IssueLabelConnection!
  parent: Issue
  priority: Float!
  priorityLabel: String!
  project: Project
  state: WorkflowState!
  team: Team!
  title: String!
  url: String!`;

/** A small part of Linear's schema, with its names and types: https://linear.app/developers/graphql */
export const schema = buildSchema(`
  scalar DateTime
  scalar DateTimeOrDuration
  scalar TimelessDate

  enum PaginationOrderBy { createdAt updatedAt }

  type Query {
    viewer: User!
    issueLabels(${PAGE}): IssueLabelConnection!
    issue(id: String!): Issue!
    issues(${PAGE}, filter: IssueFilter): IssueConnection!
    project(id: String!): Project!
    projects(${PAGE}, filter: ProjectFilter): ProjectConnection!
    searchIssues(${PAGE}, filter: IssueFilter, term: String!): IssueSearchPayload!
  }

  type Mutation {
    commentCreate(input: CommentCreateInput!): CommentPayload!
    issueCreate(input: IssueCreateInput!): IssuePayload!
    issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
    webhookCreate(input: WebhookCreateInput!): WebhookPayload!
    webhookDelete(id: String!): DeletePayload!
  }

  type CommentPayload { comment: Comment! success: Boolean! }
  type IssuePayload { issue: Issue success: Boolean! }
  type WebhookPayload { success: Boolean! webhook: Webhook! }
  type DeletePayload { entityId: String! success: Boolean! }
  type Webhook {
    id: ID!
    allPublicTeams: Boolean!
    enabled: Boolean!
    label: String
    resourceTypes: [String!]!
    secret: String
    url: String
  }

  input CommentCreateInput { body: String id: String issueId: String }
  input IssueCreateInput { id: String teamId: String! ${ISSUE_INPUT} }
  input IssueUpdateInput { ${ISSUE_INPUT} }
  input WebhookCreateInput {
    allPublicTeams: Boolean
    label: String
    resourceTypes: [String!]!
    secret: String
    teamId: String
    url: String!
  }

  type PageInfo { endCursor: String hasNextPage: Boolean! }
  ${CONNECTIONS.join("\n")}

  type Issue { ${ISSUE} }
  type IssueSearchResult { ${ISSUE} }
  type IssueSearchPayload { nodes: [IssueSearchResult!]! pageInfo: PageInfo! }

  type IssueLabel { id: ID! ${TIMES} isGroup: Boolean! name: String! team: Team }

  type Project {
    id: ID!
    ${TIMES}
    description: String!
    issues(${PAGE}, filter: IssueFilter): IssueConnection!
    name: String!
    teams(${PAGE}): TeamConnection!
    url: String!
  }

  type Comment {
    id: ID!
    ${TIMES}
    body: String!
    botActor: ActorBot
    externalUser: ExternalUser
    parent: Comment
    url: String!
    user: User
  }

  type ActorBot { id: ID name: String userDisplayName: String }
  type ExternalUser { id: ID! displayName: String! name: String! }
  type WorkflowState { id: ID! ${TIMES} name: String! type: String! }
  type Team { id: ID! ${TIMES} key: String! name: String! states(${PAGE}): WorkflowStateConnection! }
  type User { id: ID! avatarUrl: String displayName: String! email: String! name: String! organization: Organization! }
  type Organization { id: ID! name: String! urlKey: String! }

  input IssueFilter {
    and: [IssueFilter!]
    or: [IssueFilter!]
    assignee: NullableUserFilter
    createdAt: DateComparator
    description: NullableStringComparator
    id: IssueIDComparator
    project: NullableProjectFilter
    state: WorkflowStateFilter
    team: TeamFilter
    title: StringComparator
    updatedAt: DateComparator
  }
  input ProjectFilter { createdAt: DateComparator id: IDComparator name: StringComparator updatedAt: DateComparator }
  input CommentFilter { createdAt: DateComparator id: IDComparator updatedAt: DateComparator }
  input WorkflowStateFilter { id: IDComparator name: StringComparator type: StringComparator }
  input TeamFilter { id: IDComparator key: StringComparator name: StringComparator }

  input NullableUserFilter { id: IDComparator name: StringComparator }
  input NullableProjectFilter { id: IDComparator name: StringComparator }

  input IDComparator { eq: ID in: [ID!] }
  input IssueIDComparator { eq: ID in: [ID!] }
  input DateComparator {
    gt: DateTimeOrDuration
    gte: DateTimeOrDuration
    lt: DateTimeOrDuration
    lte: DateTimeOrDuration
  }
  input StringComparator { containsIgnoreCase: String eq: String in: [String!] nin: [String!] }
  input NullableStringComparator { containsIgnoreCase: String eq: String in: [String!] null: Boolean }
`);
