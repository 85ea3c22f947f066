import type { SandboxIssue, SandboxProject, State } from "./data.ts";
import { invalidInput, notFound } from "./errors.ts";
import { matches } from "./filter.ts";
import { createComment, createIssue, type IssueInput, updateIssue } from "./writes.ts";

const DEFAULT_PAGE_SIZE = 50;
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

const cursorOf = ({ id }: Entity) => Buffer.from(JSON.stringify({ key: id })).toString("base64");

/** Newest first; entities with the same time are sorted by id. */
const newestBy = (field: "createdAt" | "updatedAt") => (one: Entity, other: Entity) =>
  other[field].localeCompare(one[field]) || one.id.localeCompare(other.id);

/** One page of a list. `present` makes the entities of the page readable by queries. */
function connection<Item extends Entity>(
  all: readonly Item[],
  { first, after, filter, includeArchived, orderBy }: ListArguments,
  present: (item: Item) => object = (item) => item,
) {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size > MAX_PAGE_SIZE) throw invalidInput("first", "max", `first must not be greater than ${MAX_PAGE_SIZE}`);
  if (size < 1) throw invalidInput("first", "min", "first must not be less than 1");
  const found = all
    .filter((item) => (includeArchived || !item.archivedAt) && matches(item, filter ?? {}))
    .sort(newestBy(orderBy ?? "createdAt"));
  const start = after ? found.findIndex((item) => cursorOf(item) === after) + 1 : 0;
  if (after && start === 0) throw invalidInput("after", "isCursor", "after must be a valid cursor");
  const items = found.slice(start, start + size);
  const cursors = items.map(cursorOf);
  const nodes = items.map(present);
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index] })),
    pageInfo: {
      hasNextPage: start + size < found.length,
      hasPreviousPage: start > 0,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
    },
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
  const readProject = (project: SandboxProject): object => ({
    ...project,
    teams: (args: ListArguments) =>
      connection(
        state.teams.map(({ team }) => team),
        args,
        readTeam,
      ),
    issues: (args: ListArguments) =>
      connection(
        state.issues.filter((issue) => issue.project?.id === project.id),
        args,
        readIssue,
      ),
  });
  const readTeam = (team: SandboxIssue["team"]): object => ({
    ...team,
    states: (args: ListArguments) => connection(state.teams.find((one) => one.team === team)!.states, args),
  });
  const payload = (written: object) => ({ success: true, lastSyncId: 1, ...written });
  return {
    viewer: state.viewer,
    organization: state.organization,
    issue({ id }: { id: string }) {
      const found = state.issues.find((issue) => issue.id === id || issue.identifier === id);
      if (!found) throw notFound("Issue");
      return readIssue(found);
    },
    issues: (args: ListArguments) => connection(state.issues, args, readIssue),
    project({ id }: { id: string }) {
      const found = state.projects.find((project) => project.id === id || project.slugId === id);
      if (!found) throw notFound("Project");
      return readProject(found);
    },
    projects: (args: ListArguments) => connection(state.projects, args, readProject),
    issueLabels: (args: ListArguments) => connection(state.labels, args),
    issueCreate: ({ input }: { input: IssueInput & { teamId: string; id?: string | null } }) =>
      payload({ issue: readIssue(createIssue(state, input)) }),
    issueUpdate: ({ id, input }: { id: string; input: IssueInput }) =>
      payload({ issue: readIssue(updateIssue(state, id, input)) }),
    commentCreate: ({ input }: { input: { id?: string | null; issueId?: string | null; body?: string | null } }) =>
      payload({ comment: createComment(state, input) }),
  };
}
