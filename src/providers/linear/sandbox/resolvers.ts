import { cut, hasWords, makeCursor } from "../../../emulator-kit/index.ts";
import type { SandboxIssue, SandboxProject, State, Team } from "./data.ts";
import { invalidInput } from "./errors.ts";
import { matches } from "./filter.ts";
import { createWebhook, deleteWebhook, type WebhookInput } from "./hooks.ts";
import { createComment, createIssue, found, type IssueInput, issueWith, updateIssue } from "./writes.ts";

const MAX_PAGE_SIZE = 250;

interface ListArguments {
  first?: number | null;
  after?: string | null;
  filter?: Record<string, unknown> | null;
  includeArchived?: boolean | null;
  orderBy?: "createdAt" | "updatedAt" | null;
}

/** What every list can sort and select by. */
interface Entity extends Record<string, unknown> {
  id: string;
  createdAt: string;
  updatedAt: string;
  archivedAt: string | null;
}

/** One page of a list, newest first. `present` makes the entities of the page readable by queries. */
function connection<Item extends Entity>(
  all: readonly Item[],
  { first, after, filter, includeArchived, orderBy }: ListArguments,
  present: (item: Item) => object = (item) => item,
) {
  const size = first ?? 50;
  if (size > MAX_PAGE_SIZE) throw invalidInput("first", "max", `first must not be greater than ${MAX_PAGE_SIZE}`);
  if (size < 1) throw invalidInput("first", "min", "first must not be less than 1");
  const time = orderBy ?? "createdAt";
  const selected = all
    .filter((item) => (includeArchived || !item.archivedAt) && matches(item, filter ?? {}))
    .sort((one, other) => other[time].localeCompare(one[time]) || one.id.localeCompare(other.id));
  const start = after ? selected.findIndex(({ id }) => makeCursor(id) === after) + 1 : 0;
  if (after && start === 0) throw invalidInput("after", "isCursor", "after must be a valid cursor");
  const { items, next } = cut(selected, start, size);
  const last = items.at(-1);
  return {
    nodes: items.map(present),
    pageInfo: { hasNextPage: next !== undefined, endCursor: last ? makeCursor(last.id) : null },
  };
}

/** The resolvers of the schema's Query and Mutation types. */
export function root(state: State) {
  const readIssue = (issue: SandboxIssue): object => ({
    ...issue,
    // Functions, so that only what a query selects is looked up.
    team: () => readTeam(issue.team),
    project: () => issue.project && readProject(issue.project),
    parent: () => state.issues.filter(({ id }) => id === issue.parentId).map(readIssue)[0] ?? null,
    labels: (args: ListArguments) => connection(issue.labels, args),
    comments: (args: ListArguments) => connection(state.commentsOf(issue), args),
  });
  const issuesOf = (project: SandboxProject) => state.issues.filter((issue) => issue.project?.id === project.id);
  const readProject = (project: SandboxProject): object => ({
    ...project,
    teams: (args: ListArguments) => connection(state.teams, args, readTeam),
    issues: (args: ListArguments) => connection(issuesOf(project), args, readIssue),
  });
  const readTeam = (team: Team): object => ({
    ...team,
    states: (args: ListArguments) => connection(team.states, args),
  });
  return {
    viewer: state.viewer,
    issue: ({ id }: { id: string }) => readIssue(issueWith(state, id)),
    issues: (args: ListArguments) => connection(state.issues, args, readIssue),
    searchIssues: ({ term, ...args }: ListArguments & { term: string }) =>
      connection(
        state.issues.filter(({ title, description }) => hasWords(term, title, description)),
        args,
        readIssue,
      ),
    project: ({ id }: { id: string }) => readProject(found(state.projects, "Project", id)),
    projects: (args: ListArguments) => connection(state.projects, args, readProject),
    issueLabels: (args: ListArguments) => connection(state.labels, args),
    issueCreate: ({ input }: { input: IssueInput }) => ({ success: true, issue: readIssue(createIssue(state, input)) }),
    issueUpdate: ({ id, input }: { id: string; input: IssueInput }) => ({
      success: true,
      issue: readIssue(updateIssue(state, id, input)),
    }),
    commentCreate: ({ input }: { input: Record<string, string> }) => ({
      success: true,
      comment: createComment(state, input),
    }),
    webhookCreate: ({ input }: { input: WebhookInput }) => createWebhook(state, input),
    webhookDelete: (input: { id: string }) => deleteWebhook(state, input),
  };
}
