import { randomUUID } from "node:crypto";
import { PRIORITIES, type SandboxIssue, type State } from "./data.ts";
import { invalidInput, notFound } from "./errors.ts";

/** What a mutation may set; null and undefined leave a field as it is, as far as the emulator is concerned. */
export interface IssueInput {
  title?: string | null;
  description?: string | null;
  assigneeId?: string | null;
  dueDate?: string | null;
  labelIds?: string[] | null;
  parentId?: string | null;
  priority?: number | null;
  projectId?: string | null;
  stateId?: string | null;
}

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

function found<Item>(items: readonly Item[], entity: string, matches: (item: Item) => boolean): Item {
  const item = items.find(matches);
  if (item === undefined) throw notFound(entity);
  return item;
}

const issueWith = (state: State, id: string) =>
  found(state.issues, "Issue", (issue) => issue.id === id || issue.identifier === id);

function newId(id: string | null | undefined, taken: readonly { id: string }[]): string {
  if (!id) return randomUUID();
  if (!UUID_V4.test(id)) throw invalidInput("id", "isUuid", "id must be a UUID");
  if (taken.some((one) => one.id === id))
    throw invalidInput("id", "isUnique", `an entity with id ${id} already exists`);
  return id;
}

/** The fields of an issue that an input changes. Everything is checked before anything is written. */
function changes(state: State, team: SandboxIssue["team"], input: IssueInput, now: string): Partial<SandboxIssue> {
  const { title, description, assigneeId, dueDate, labelIds, parentId, priority, projectId, stateId } = input;
  if (title === "") throw invalidInput("title", "isLength", "title must not be empty");
  if (typeof priority === "number" && !PRIORITIES[priority])
    throw invalidInput("priority", "max", "priority must not be greater than 4");
  const { states } = state.teams.find((one) => one.team === team)!;
  const next = stateId ? found(states, "WorkflowState", ({ id }) => id === stateId) : undefined;
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(assigneeId && { assignee: found(state.people, "User", ({ id }) => id === assigneeId) }),
    ...(dueDate && { dueDate }),
    ...(labelIds && {
      labels: labelIds.map((wanted) =>
        found(state.labels, "IssueLabel", ({ id, isGroup }) => id === wanted && !isGroup),
      ),
    }),
    ...(parentId && { parentId: issueWith(state, parentId).id }),
    ...(typeof priority === "number" && { priority, priorityLabel: PRIORITIES[priority]! }),
    ...(projectId && { project: found(state.projects, "Project", ({ id }) => id === projectId) }),
    ...(next && {
      state: next,
      startedAt: next.type === "started" ? now : null,
      completedAt: next.type === "completed" ? now : null,
      canceledAt: ["canceled", "duplicate"].includes(next.type) ? now : null,
    }),
    updatedAt: now,
  };
}

export function createIssue(
  state: State,
  { teamId, id, ...input }: IssueInput & { teamId: string; id?: string | null },
): SandboxIssue {
  const { team, states } = found(state.teams, "Team", (one) => one.team.id === teamId);
  if (!input.title) throw invalidInput("title", "isDefined", "title should not be empty");
  const now = new Date().toISOString();
  const number = 1 + Math.max(...state.issues.map((issue) => issue.number));
  const identifier = `${team.key}-${number}`;
  const created: SandboxIssue = {
    id: newId(id, state.issues),
    identifier,
    number,
    title: input.title,
    description: null,
    url: `https://linear.app/sandbox/issue/${identifier}/${number}`,
    branchName: `sandra/${identifier.toLowerCase()}`,
    priority: 0,
    priorityLabel: PRIORITIES[0]!,
    estimate: null,
    state: states.find(({ type }) => type === "backlog")!,
    team,
    project: null,
    parentId: null,
    labels: [],
    dueDate: null,
    creator: state.viewer,
    assignee: null,
    createdAt: now,
    archivedAt: null,
    startedAt: null,
    completedAt: null,
    canceledAt: null,
    updatedAt: now,
    ...changes(state, team, input, now),
  };
  state.issues.unshift(created);
  return created;
}

export function updateIssue(state: State, id: string, input: IssueInput): SandboxIssue {
  const issue = issueWith(state, id);
  return Object.assign(issue, changes(state, issue.team, input, new Date().toISOString()));
}

export function createComment(
  state: State,
  { id, issueId, body }: { id?: string | null; issueId?: string | null; body?: string | null },
) {
  if (!body) throw invalidInput("body", "isDefined", "body should not be empty");
  const issue = issueWith(state, issueId ?? "");
  const all = state.commentsOf(issue);
  const now = new Date().toISOString();
  const created = {
    id: newId(id, all),
    body,
    url: `${issue.url}#comment-${all.length}`,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
    parent: null,
    user: state.viewer,
    externalUser: null,
    botActor: null,
  };
  all.push(created);
  return created;
}
