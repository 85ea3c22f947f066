import { randomUUID } from "node:crypto";
import { blankIssue, newComment, PRIORITIES, type SandboxIssue, type State, type Team } from "./data.ts";
import { invalidInput, notFound } from "./errors.ts";

/** What a mutation may set; null leaves a field as it is, as far as the emulator is concerned. */
export interface IssueInput {
  id?: string;
  teamId?: string;
  title?: string;
  description?: string;
  assigneeId?: string;
  dueDate?: string;
  labelIds?: string[];
  parentId?: string;
  priority?: number;
  projectId?: string;
  stateId?: string;
}

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

export function found<Item extends { id: string }>(items: readonly Item[], entity: string, wanted: string): Item {
  const item = items.find(({ id }) => id === wanted);
  if (!item) throw notFound(entity);
  return item;
}

export const issueWith = ({ issues }: State, wanted: string) =>
  issues.find(({ identifier }) => identifier === wanted) ?? found(issues, "Issue", wanted);

function newId(id = randomUUID() as string, taken: readonly { id: string }[]): string {
  if (!UUID_V4.test(id)) throw invalidInput("id", "isUuid", "id must be a UUID");
  if (taken.some((one) => one.id === id))
    throw invalidInput("id", "isUnique", `an entity with id ${id} already exists`);
  return id;
}

/** The fields of an issue that an input changes. Everything is checked before anything is written. */
function changes(state: State, team: Team, input: IssueInput, now: string): Partial<SandboxIssue> {
  const { title, description, assigneeId, dueDate, labelIds, parentId, priority, projectId, stateId } = input;
  if (title === "") throw invalidInput("title", "isLength", "title must not be empty");
  if (priority && !PRIORITIES[priority]) throw invalidInput("priority", "max", "priority must not be greater than 4");
  const next = stateId && found(team.states, "WorkflowState", stateId);
  const labels = state.labels.filter(({ isGroup }) => !isGroup);
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(assigneeId && { assignee: found(state.people, "User", assigneeId) }),
    ...(dueDate && { dueDate }),
    ...(labelIds && { labels: labelIds.map((id) => found(labels, "IssueLabel", id)) }),
    ...(parentId && { parentId: issueWith(state, parentId).id }),
    ...(typeof priority === "number" && { priority, priorityLabel: PRIORITIES[priority]! }),
    ...(projectId && { project: found(state.projects, "Project", projectId) }),
    ...(next && {
      state: next,
      completedAt: next.type === "completed" ? now : null,
      canceledAt: ["canceled", "duplicate"].includes(next.type) ? now : null,
    }),
    updatedAt: now,
  };
}

export function createIssue(state: State, { teamId, id, ...input }: IssueInput): SandboxIssue {
  const team = found(state.teams, "Team", teamId!);
  if (!input.title) throw invalidInput("title", "isDefined", "title should not be empty");
  const now = new Date().toISOString();
  const number = 1 + Math.max(...state.issues.map((issue) => issue.number));
  const created: SandboxIssue = {
    ...blankIssue(team, number),
    id: newId(id, state.issues),
    title: input.title,
    createdAt: now,
    ...changes(state, team, input, now),
  };
  state.issues.unshift(created);
  return created;
}

export function updateIssue(state: State, id: string, input: IssueInput): SandboxIssue {
  const issue = issueWith(state, id);
  return Object.assign(issue, changes(state, issue.team, input, new Date().toISOString()));
}

export function createComment(state: State, { id, issueId = "", body }: Record<string, string>) {
  if (!body) throw invalidInput("body", "isDefined", "body should not be empty");
  const issue = issueWith(state, issueId);
  const all = state.commentsOf(issue);
  const url = `${issue.url}#comment-${all.length}`;
  const created = { ...newComment(new Date().toISOString()), id: newId(id, all), body, url, user: state.viewer };
  all.push(created);
  return created;
}
