import { buildSchema } from "graphql";

/** A small part of Linear's schema, with its names and types: https://linear.app/developers/graphql */
export const schema = buildSchema(`
  scalar DateTime
  scalar DateTimeOrDuration
  scalar TimelessDate

  enum PaginationOrderBy { createdAt updatedAt }

  type Query {
    viewer: User!
    organization: Organization!
    issueLabels(after: String, first: Int, includeArchived: Boolean, orderBy: PaginationOrderBy): IssueLabelConnection!
    issue(id: String!): Issue!
    issues(
      after: String
      filter: IssueFilter
      first: Int
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): IssueConnection!
    project(id: String!): Project!
    projects(
      after: String
      filter: ProjectFilter
      first: Int
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): ProjectConnection!
  }

  type Mutation {
    commentCreate(input: CommentCreateInput!): CommentPayload!
    issueCreate(input: IssueCreateInput!): IssuePayload!
    issueUpdate(id: String!, input: IssueUpdateInput!): IssuePayload!
  }

  type CommentPayload { comment: Comment! lastSyncId: Float! success: Boolean! }
  type IssuePayload { issue: Issue lastSyncId: Float! success: Boolean! }

  input CommentCreateInput { body: String id: String issueId: String }

  input IssueCreateInput {
    assigneeId: String
    description: String
    dueDate: TimelessDate
    id: String
    labelIds: [String!]
    parentId: String
    priority: Int
    projectId: String
    stateId: String
    teamId: String!
    title: String
  }

  input IssueUpdateInput {
    assigneeId: String
    description: String
    dueDate: TimelessDate
    labelIds: [String!]
    parentId: String
    priority: Int
    projectId: String
    stateId: String
    title: String
  }

  interface Node { id: ID! }

  type PageInfo {
    endCursor: String
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
  }

  type IssueConnection { edges: [IssueEdge!]! nodes: [Issue!]! pageInfo: PageInfo! }
  type IssueEdge { cursor: String! node: Issue! }
  type ProjectConnection { edges: [ProjectEdge!]! nodes: [Project!]! pageInfo: PageInfo! }
  type ProjectEdge { cursor: String! node: Project! }
  type CommentConnection { edges: [CommentEdge!]! nodes: [Comment!]! pageInfo: PageInfo! }
  type CommentEdge { cursor: String! node: Comment! }
  type IssueLabelConnection { edges: [IssueLabelEdge!]! nodes: [IssueLabel!]! pageInfo: PageInfo! }
  type IssueLabelEdge { cursor: String! node: IssueLabel! }

  type Issue implements Node {
    id: ID!
    archivedAt: DateTime
    assignee: User
    branchName: String!
    canceledAt: DateTime
    comments(
      after: String
      filter: CommentFilter
      first: Int
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): CommentConnection!
    completedAt: DateTime
    createdAt: DateTime!
    creator: User
    description: String
    dueDate: TimelessDate
    estimate: Float
    identifier: String!
    labels(after: String, first: Int, includeArchived: Boolean, orderBy: PaginationOrderBy): IssueLabelConnection!
    number: Float!
    parent: Issue
    priority: Float!
    priorityLabel: String!
    project: Project
    startedAt: DateTime
    state: WorkflowState!
    team: Team!
    title: String!
    updatedAt: DateTime!
    url: String!
  }

  type IssueLabel implements Node {
    id: ID!
    archivedAt: DateTime
    color: String!
    createdAt: DateTime!
    isGroup: Boolean!
    name: String!
    team: Team
    updatedAt: DateTime!
  }

  type Project implements Node {
    id: ID!
    archivedAt: DateTime
    createdAt: DateTime!
    description: String!
    issues(
      after: String
      filter: IssueFilter
      first: Int
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): IssueConnection!
    name: String!
    slugId: String!
    teams(after: String, first: Int, includeArchived: Boolean, orderBy: PaginationOrderBy): TeamConnection!
    updatedAt: DateTime!
    url: String!
  }

  type Comment implements Node {
    id: ID!
    archivedAt: DateTime
    body: String!
    botActor: ActorBot
    createdAt: DateTime!
    externalUser: ExternalUser
    parent: Comment
    updatedAt: DateTime!
    url: String!
    user: User
  }

  type ActorBot { id: ID name: String type: String! userDisplayName: String }
  type ExternalUser implements Node { id: ID! createdAt: DateTime! displayName: String! name: String! updatedAt: DateTime! }

  type WorkflowStateConnection { edges: [WorkflowStateEdge!]! nodes: [WorkflowState!]! pageInfo: PageInfo! }
  type WorkflowStateEdge { cursor: String! node: WorkflowState! }
  type TeamConnection { edges: [TeamEdge!]! nodes: [Team!]! pageInfo: PageInfo! }
  type TeamEdge { cursor: String! node: Team! }

  type WorkflowState implements Node {
    id: ID!
    archivedAt: DateTime
    color: String!
    createdAt: DateTime!
    description: String
    name: String!
    position: Float!
    team: Team!
    type: String!
    updatedAt: DateTime!
  }

  type Team implements Node {
    id: ID!
    archivedAt: DateTime
    createdAt: DateTime!
    key: String!
    name: String!
    states(after: String, first: Int, includeArchived: Boolean, orderBy: PaginationOrderBy): WorkflowStateConnection!
    updatedAt: DateTime!
  }

  type User implements Node {
    id: ID!
    active: Boolean!
    admin: Boolean!
    avatarUrl: String
    createdAt: DateTime!
    displayName: String!
    email: String!
    name: String!
    organization: Organization!
    updatedAt: DateTime!
    url: String!
  }

  type Organization implements Node { id: ID! createdAt: DateTime! name: String! updatedAt: DateTime! urlKey: String! }

  input IssueFilter {
    and: [IssueFilter!]
    or: [IssueFilter!]
    createdAt: DateComparator
    description: NullableStringComparator
    id: IssueIDComparator
    number: NumberComparator
    state: WorkflowStateFilter
    team: TeamFilter
    title: StringComparator
    updatedAt: DateComparator
  }

  input ProjectFilter {
    and: [ProjectFilter!]
    or: [ProjectFilter!]
    createdAt: DateComparator
    id: IDComparator
    name: StringComparator
    updatedAt: DateComparator
  }

  input CommentFilter {
    and: [CommentFilter!]
    or: [CommentFilter!]
    createdAt: DateComparator
    id: IDComparator
    updatedAt: DateComparator
  }

  input WorkflowStateFilter {
    and: [WorkflowStateFilter!]
    or: [WorkflowStateFilter!]
    id: IDComparator
    name: StringComparator
    type: StringComparator
  }

  input TeamFilter {
    and: [TeamFilter!]
    or: [TeamFilter!]
    id: IDComparator
    key: StringComparator
    name: StringComparator
  }

  input IDComparator { eq: ID in: [ID!] neq: ID nin: [ID!] }
  input IssueIDComparator { eq: ID in: [ID!] neq: ID nin: [ID!] }

  input NumberComparator {
    eq: Float gt: Float gte: Float in: [Float!] lt: Float lte: Float neq: Float nin: [Float!]
  }

  input DateComparator {
    eq: DateTimeOrDuration
    gt: DateTimeOrDuration
    gte: DateTimeOrDuration
    in: [DateTimeOrDuration!]
    lt: DateTimeOrDuration
    lte: DateTimeOrDuration
    neq: DateTimeOrDuration
    nin: [DateTimeOrDuration!]
  }

  input StringComparator {
    contains: String
    containsIgnoreCase: String
    endsWith: String
    eq: String
    eqIgnoreCase: String
    in: [String!]
    neq: String
    nin: [String!]
    notContains: String
    startsWith: String
  }

  input NullableStringComparator {
    contains: String
    containsIgnoreCase: String
    endsWith: String
    eq: String
    eqIgnoreCase: String
    in: [String!]
    neq: String
    nin: [String!]
    notContains: String
    null: Boolean
    startsWith: String
  }
`);
