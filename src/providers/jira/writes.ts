import { invalidInput, ProviderFailure } from "../../contracts/fault.ts";
import type { Upstream } from "../../contracts/upstream.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { markdownToAdf } from "../../provider-kit/text/to-adf.ts";
import { utcDay } from "../../provider-kit/time.ts";
import { byName, unknownValue } from "../../provider-kit/write.ts";

// Only the fields that are read.
interface Named {
  id: string;
  name: string;
}
interface IssueType extends Named {
  subtask: boolean;
  /** 1 for an epic, 0 for a task, -1 for a sub-task. */
  hierarchyLevel?: number;
}
interface Transition {
  id: string;
  to: Named;
}
interface Current {
  fields: { status: Named; project: { id: string; key: string } };
  transitions: Transition[];
}

interface Given {
  title?: string;
  description?: string;
  assignee_id?: string;
  priority?: string;
  labels?: string[];
  due_at?: string;
  parent_id?: string;
}

async function priorityId(name: string, upstream: Upstream): Promise<string> {
  const { body } = await upstream<{ values: Named[] }>(get("/priority/search", { maxResults: 100 }));
  return byName("priority", name, body.values, (priority) => priority.name).id;
}

/** The fields that are set in the same way in a new issue and in an existing one. */
export async function issueFields(given: Given, upstream: Upstream) {
  const { title, description, assignee_id, priority, labels, due_at, parent_id } = given;
  return {
    summary: title,
    description: description === undefined ? undefined : markdownToAdf(description),
    assignee: assignee_id === undefined ? undefined : { id: assignee_id },
    priority: priority === undefined ? undefined : { id: await priorityId(priority, upstream) },
    labels,
    duedate: utcDay(due_at),
    // A number is an ID.
    parent: parent_id === undefined ? undefined : /^\d+$/.test(parent_id) ? { id: parent_id } : { key: parent_id },
  };
}

/** The level of a child: an epic has tasks, a task has sub-tasks. */
async function childLevel(parent: string, upstream: Upstream): Promise<number> {
  const { body } = await upstream<{ fields: { issuetype: IssueType } }>(
    get(path`/issue/${parent}`, { fields: "issuetype" }),
  );
  return (body.fields.issuetype.hierarchyLevel ?? 0) - 1;
}

/** The type of a new issue: the one called Task, or else the first of the level. */
export async function issueType(project: string, parent: string | undefined, upstream: Upstream): Promise<IssueType> {
  const { body } = await upstream<{ issueTypes: IssueType[] }>(
    get(path`/issue/createmeta/${project}/issuetypes`, { maxResults: 200 }),
  );
  const level = parent === undefined ? 0 : await childLevel(parent, upstream);
  const possible = body.issueTypes.filter(({ subtask, hierarchyLevel = subtask ? -1 : 0 }) => hierarchyLevel === level);
  const type = possible.find(({ name }) => name === "Task") ?? possible[0];
  if (type) return type;
  throw invalidInput(
    parent === undefined
      ? { path: ["body", "project_id"], message: "has no type of issue that you may create" }
      : { path: ["body", "parent_id"], message: "cannot have sub-tasks in this project" },
  );
}

/** Refuses a status that issues of this type never have, before anything is written. */
export async function knownStatus(project: string, type: IssueType, status: string, upstream: Upstream) {
  const { body } = await upstream<(Named & { statuses: Named[] })[]>(get(path`/project/${project}/statuses`));
  const statuses = body.find(({ id }) => id === type.id)?.statuses ?? [];
  return byName("status", status, statuses, ({ name }) => name);
}

export async function currentState(issue: string, upstream: Upstream): Promise<Current> {
  const { body } = await upstream<Current>(
    get(path`/issue/${issue}`, { fields: "status,project", expand: "transitions" }),
  );
  return body;
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

const transitionTo = (status: string, { transitions }: Current) => transitions.find(({ to }) => same(to.name, status));

/** The transition to a status; undefined if the issue has it already. */
export function requireTransition(status: string, current: Current): Transition | undefined {
  if (same(current.fields.status.name, status)) return undefined;
  const found = transitionTo(status, current);
  if (found) return found;
  throw unknownValue("status", status, [current.fields.status.name, ...current.transitions.map(({ to }) => to.name)]);
}

export const doTransition = (issue: string, { id }: Transition) =>
  post(path`/issue/${issue}/transitions`, { transition: { id } });

/**
 * Moves a new issue to its status, if the workflow allows it. An error would say that nothing was written, and the
 * client would create the issue again: so the record says which status it has.
 */
export async function tryTransition(issue: string, status: string, upstream: Upstream): Promise<void> {
  const current = await currentState(issue, upstream);
  const transition = same(current.fields.status.name, status) ? undefined : transitionTo(status, current);
  if (!transition) return;
  await upstream(doTransition(issue, transition)).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error;
  });
}

/** An issue is not moved by an edit: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-bulk-operations/ */
export function refuseMove(project: string | undefined, { fields }: Current): void {
  if (project === undefined || project === fields.project.id || project === fields.project.key) return;
  throw invalidInput({ path: ["body", "project_id"], message: "cannot be changed at Jira: move the issue there" });
}
