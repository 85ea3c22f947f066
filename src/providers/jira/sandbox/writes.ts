import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { isReply, reply } from "../../../emulator-kit/emulator.ts";
import {
  DONE,
  ISSUE_TYPES,
  type IssueType,
  jiraTime,
  me,
  PEOPLE,
  PRIORITIES,
  reference,
  type SandboxIssue,
  SITE_URL,
  STATUSES,
  type State,
} from "./data.ts";
import { errorReply, fieldError, issueOf, noSuchIssue } from "./errors.ts";

type Fields = SandboxIssue["fields"];

const projectOf = (wanted: { id?: string; key?: string } | undefined, { projects }: State) =>
  projects.find(({ id, key }) => id === wanted?.id || key === wanted?.key);

const named = ({ params }: EmulatedRequest, state: State) =>
  projectOf({ id: params.project!, key: params.project! }, state);

const noSuchProject = ({ params }: EmulatedRequest) =>
  errorReply(404, `No project could be found with key '${params.project}'.`);

export const listIssueTypes = (request: EmulatedRequest, state: State): EmulatedReply =>
  named(request, state)
    ? reply(200, { startAt: 0, maxResults: 200, total: ISSUE_TYPES.length, issueTypes: ISSUE_TYPES })
    : noSuchProject(request);

export const listStatuses = (request: EmulatedRequest, state: State): EmulatedReply =>
  named(request, state)
    ? reply(
        200,
        ISSUE_TYPES.map(({ self, id, name, subtask }) => ({ self, id, name, subtask, statuses: STATUSES })),
      )
    : noSuchProject(request);

export const listPriorities = (): EmulatedReply =>
  reply(200, { startAt: 0, maxResults: 100, total: PRIORITIES.length, isLast: true, values: PRIORITIES });

/** Every status can be reached from every other one, except that the last one follows only a finished issue. */
export const transitionsOf = ({ fields }: SandboxIssue) =>
  STATUSES.filter(
    (to) => to !== fields.status && (to !== STATUSES.at(-1) || fields.status.statusCategory.key === "done"),
  ).map((to) => ({
    id: String(Number(to.id) - 9_979),
    name: `→ ${to.name}`,
    to,
    hasScreen: false,
    isGlobal: true,
    isInitial: false,
    isAvailable: true,
    isConditional: false,
    looped: false,
  }));

/** The fields that a write sets, or why it is refused. */
function changes(body: EmulatedRequest["body"], type: IssueType, state: State): Partial<Fields> | EmulatedReply {
  const { summary, description, assignee, priority, labels, duedate, parent } = body?.fields ?? {};
  const changed: Partial<Fields> = { updated: jiraTime(new Date()) };
  if (summary !== undefined) {
    if (summary === "" || /[\r\n]/.test(summary))
      return fieldError("summary", "The summary is invalid because it is empty or contains newline characters.");
    changed.summary = summary;
  }
  if (description !== undefined) {
    if (description !== null && description.type !== "doc")
      return fieldError(
        "description",
        "Operation value must be an Atlassian Document (see the Atlassian Document Format)",
      );
    changed.description = description;
  }
  if (assignee !== undefined) {
    const found = [...PEOPLE, me].find(({ accountId }) => accountId === (assignee?.id ?? assignee?.accountId));
    if (!found) return fieldError("assignee", `Specify a valid value for assignee`);
    changed.assignee = found;
  }
  if (priority !== undefined) {
    const found = PRIORITIES.find(({ id, name }) => id === priority?.id || name === priority?.name);
    if (!found) return fieldError("priority", "The priority selected is invalid.");
    changed.priority = found;
  }
  if (labels !== undefined) {
    const spaced = labels.find((label: string) => /\s/.test(label));
    if (spaced) return fieldError("labels", `The label '${spaced}' contains spaces which is invalid.`);
    changed.labels = labels;
  }
  if (duedate !== undefined) {
    if (!/^\d{4}-\d\d-\d\d$/.test(duedate))
      return fieldError("duedate", "Error parsing date string: it must be in the format yyyy-MM-dd.");
    changed.duedate = duedate;
  }
  if (parent !== undefined) {
    const found = state.issues.find(({ id, key }) => id === parent?.id || key === parent?.key);
    if (!found) return fieldError("parentId", "Could not find issue by id or key.");
    if (found.fields.issuetype.hierarchyLevel !== type.hierarchyLevel + 1)
      return fieldError("parentId", "Given parent issue does not belong to appropriate hierarchy.");
    changed.parent = { id: found.id, key: found.key, self: found.self };
  }
  return changed;
}

export function createIssue({ body }: EmulatedRequest, state: State): EmulatedReply {
  const given = body?.fields ?? {};
  const project = projectOf(given.project, state);
  if (!project) return fieldError("project", "Specify a valid project ID or key");
  const issuetype = ISSUE_TYPES.find(({ id, name }) => id === given.issuetype?.id || name === given.issuetype?.name);
  if (!issuetype) return fieldError("issuetype", "Specify an issue type");
  if (given.summary === undefined) return fieldError("summary", "You must specify a summary of the issue.");
  if (issuetype.subtask && !given.parent)
    return errorReply(400, "Issue type is a sub-task but parent issue key or id not specified.");
  const changed = changes(body, issuetype, state);
  if (isReply(changed)) return changed;
  const id = String(1 + Math.max(...state.issues.map((issue) => Number(issue.id))));
  const key = `${project.key}-${state.issues.length + 1}`;
  const self = `${SITE_URL}/rest/api/3/issue/${id}`;
  const now = jiraTime(new Date());
  const fields: Fields = {
    summary: given.summary,
    status: STATUSES[0]!,
    description: null,
    created: now,
    updated: now,
    project: reference(project),
    issuetype,
    priority: PRIORITIES.at(-1)!,
    assignee: null,
    reporter: me,
    labels: [],
    duedate: null,
    resolution: null,
    resolutiondate: null,
    ...changed,
  };
  state.issues.push({ expand: state.issues[0]!.expand, id, self, key, fields });
  state.comments[id] = [];
  return reply(201, { id, key, self });
}

/** A transition in an edit is ignored. */
export function editIssue(request: EmulatedRequest, state: State): EmulatedReply {
  const issue = issueOf(request, state);
  if (!issue) return noSuchIssue();
  if (request.body?.fields?.status !== undefined)
    return fieldError("status", "Field 'status' cannot be set. It is not on the appropriate screen, or unknown.");
  const changed = changes(request.body, issue.fields.issuetype, state);
  if (isReply(changed)) return changed;
  Object.assign(issue.fields, changed);
  return reply(204);
}

export function doTransition(request: EmulatedRequest, state: State): EmulatedReply {
  const issue = issueOf(request, state);
  if (!issue) return noSuchIssue();
  const wanted = request.body?.transition?.id;
  if (wanted === undefined) return errorReply(400, "Missing 'transition' identifier");
  const found = transitionsOf(issue).find(({ id }) => id === wanted);
  if (!found) return errorReply(400, "It seems that you have tried to perform an illegal workflow operation.");
  const now = jiraTime(new Date());
  const isDone = found.to.statusCategory.key === "done";
  Object.assign(issue.fields, {
    status: found.to,
    updated: now,
    resolution: isDone ? DONE : null,
    resolutiondate: isDone ? now : null,
  });
  return reply(204);
}

export function createComment(request: EmulatedRequest, state: State): EmulatedReply {
  const issue = issueOf(request, state);
  if (!issue) return noSuchIssue();
  const { body } = request.body ?? {};
  if (body?.type !== "doc") return fieldError("comment", "Comment body is not valid!");
  const now = jiraTime(new Date());
  const id = String(900_000 + Object.values(state.comments).flat().length);
  const { self, accountId, accountType, avatarUrls, displayName, active, timeZone } = me;
  const author = { self, accountId, accountType, avatarUrls, displayName, active, timeZone };
  const created = {
    self: `${issue.self}/comment/${id}`,
    id,
    author,
    body,
    updateAuthor: author,
    created: now,
    updated: now,
    jsdPublic: true,
  };
  state.comments[issue.id]!.push(created);
  return reply(201, created);
}
