import { buildSchema } from "graphql";

/** A small part of Linear's schema, with its names and types: https://linear.app/developers/graphql */
export const schema = buildSchema(`
  scalar DateTime
  scalar DateTimeOrDuration

  enum PaginationOrderBy { createdAt updatedAt }

  type Query {
    viewer: User!
    organization: Organization!
    issue(id: String!): Issue!
    issues(
      after: String
      filter: IssueFilter
      first: Int
      includeArchived: Boolean
      orderBy: PaginationOrderBy
    ): IssueConnection!
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

  type Issue implements Node {
    id: ID!
    archivedAt: DateTime
    assignee: User
    branchName: String!
    canceledAt: DateTime
    completedAt: DateTime
    createdAt: DateTime!
    creator: User
    description: String
    estimate: Float
    identifier: String!
    number: Float!
    priority: Float!
    priorityLabel: String!
    startedAt: DateTime
    state: WorkflowState!
    team: Team!
    title: String!
    updatedAt: DateTime!
    url: String!
  }

  type WorkflowState implements Node {
    id: ID!
    color: String!
    createdAt: DateTime!
    description: String
    name: String!
    position: Float!
    team: Team!
    type: String!
    updatedAt: DateTime!
  }

  type Team implements Node { id: ID! createdAt: DateTime! key: String! name: String! updatedAt: DateTime! }

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
