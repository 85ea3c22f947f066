import {
  byName,
  type CategoryImplementation,
  type Context,
  get,
  invalidInput,
  markdownToAdf,
  one,
  ProviderFailure,
  path,
  post,
  put,
  type TaskFields,
  type tasks,
  type Upstream,
  type UpstreamRequest,
  unknownValue,
  utcDay,
} from "../../provider-kit/index.ts";
import { fieldsFor, type JiraIssue, toComment, toTask } from "./records.ts";

/** After a write, which answers with the ID or with nothing. */
const readIssue = async (id: string, { upstream, select }: Pick<Context, "upstream" | "select">) =>
  (await upstream<JiraIssue>(get(path`/issue/${id}`, { fields: fieldsFor({ select }) }))).body;

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
interface FieldMeta {
  key: string;
  allowedValues?: Named[];
}
interface Transition {
  id: string;
  to: Named;
}
interface Current {
  fields: { status: Named; project: { id: string; key: string } };
  transitions: Transition[];
}

/** Of the priorities that the issue may have. The list of all would need the scope `manage:jira-configuration`. */
async function priorityId(name: string, meta: UpstreamRequest, upstream: Upstream): Promise<string> {
  const { body } = await upstream<{ fields: FieldMeta[] | Record<string, FieldMeta> }>(meta);
  const allowed = Object.values(body.fields).find(({ key }) => key === "priority")?.allowedValues ?? [];
  return byName("priority", name, allowed, (priority) => priority.name).id;
}

/** The fields that are set in the same way in a new issue and in an existing one; `meta` reads what they may be. */
async function issueFields(given: TaskFields, meta: UpstreamRequest, upstream: Upstream) {
  const { title, description, assignee_id, priority, labels, due_at, parent_id } = given;
  return {
    summary: title,
    description: description === undefined ? undefined : markdownToAdf(description),
    assignee: assignee_id === undefined ? undefined : { id: assignee_id },
    priority: priority === undefined ? undefined : { id: await priorityId(priority, meta, upstream) },
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
async function issueType(project: string, parent: string | undefined, upstream: Upstream): Promise<IssueType> {
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
async function knownStatus(project: string, type: IssueType, status: string, upstream: Upstream) {
  const { body } = await upstream<(Named & { statuses: Named[] })[]>(get(path`/project/${project}/statuses`));
  const statuses = body.find(({ id }) => id === type.id)?.statuses ?? [];
  return byName("status", status, statuses, ({ name }) => name);
}

async function currentState(issue: string, upstream: Upstream): Promise<Current> {
  const { body } = await upstream<Current>(
    get(path`/issue/${issue}`, { fields: "status,project", expand: "transitions" }),
  );
  return body;
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

const transitionTo = (status: string, { transitions }: Current) => transitions.find(({ to }) => same(to.name, status));

/** The transition to a status; undefined if the issue has it already. */
function requireTransition(status: string, current: Current): Transition | undefined {
  if (same(current.fields.status.name, status)) return undefined;
  const found = transitionTo(status, current);
  if (found) return found;
  throw unknownValue("status", status, [current.fields.status.name, ...current.transitions.map(({ to }) => to.name)]);
}

const doTransition = (issue: string, { id }: Transition) =>
  post(path`/issue/${issue}/transitions`, { transition: { id } });

/**
 * Moves a new issue to its status, if the workflow allows it. An error would say that nothing was written, and the
 * client would create the issue again: so the record says which status it has.
 */
async function tryTransition(issue: string, status: string, upstream: Upstream): Promise<void> {
  const current = await currentState(issue, upstream);
  const transition = same(current.fields.status.name, status) ? undefined : transitionTo(status, current);
  if (!transition) return;
  await upstream(doTransition(issue, transition)).catch((error) => {
    if (!(error instanceof ProviderFailure)) throw error;
  });
}

/** An issue is not moved by an edit: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-bulk-operations/ */
function refuseMove(project: string | undefined, { fields }: Current): void {
  if (project === undefined || project === fields.project.id || project === fields.project.key) return;
  throw invalidInput({ path: ["body", "project_id"], message: "cannot be changed at Jira: move the issue there" });
}

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    requires: ["project_id"],
    async load(context) {
      const { input, upstream, write } = context;
      const { project_id: project } = input;
      const type = await issueType(project, input.parent_id, upstream);
      const status = input.status && (await knownStatus(project, type, input.status, upstream)).name;
      const meta = get(path`/issue/createmeta/${project}/issuetypes/${type.id}`, { maxResults: 200 });
      const fields = {
        ...(await issueFields(input, meta, upstream)),
        project: /^\d+$/.test(project) ? { id: project } : { key: project },
        issuetype: { id: type.id },
      };
      const { body } = await write<{ id: string }>(post("/issue", { fields }));
      if (status) await tryTransition(body.id, status, upstream);
      return readIssue(body.id, context);
    },
    record: toTask,
  }),

  // Fields are edited, and the status is changed by a transition: two calls if both are given.
  updateTask: one({
    async load(context) {
      const { input, upstream, write, addsToBody } = context;
      const { task_id, status, project_id, ...changes } = input;
      const isMoved = status !== undefined || project_id !== undefined;
      const current = isMoved ? await currentState(task_id, upstream) : undefined;
      if (current) refuseMove(project_id, current);
      const transition = status && current ? requireTransition(status, current) : undefined;
      const meta = get(path`/issue/${task_id}/editmeta`);
      if (Object.keys(changes).length > 0 || addsToBody)
        await write(put(path`/issue/${task_id}`, { fields: await issueFields(changes, meta, upstream) }));
      if (transition) await upstream(doTransition(task_id, transition));
      return readIssue(task_id, context);
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input }) => post(path`/issue/${input.task_id}/comment`, { body: markdownToAdf(input.text) }),
    record: toComment,
  }),
};
