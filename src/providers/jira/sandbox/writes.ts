import {
  checkFields,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  sentFields,
} from "../../../emulator-kit/index.ts";
import {
  blankFields,
  ISSUE_TYPES,
  type IssueType,
  jiraTime,
  makeComment,
  makeIssue,
  me,
  PEOPLE,
  PRIORITIES,
  reference,
  type SandboxIssue,
  STATUSES,
  type State,
} from "./data.ts";
import { errorReply, fieldError } from "./errors.ts";
import { readOwn } from "./fields.ts";

/** Every status can be reached from every other one, except that the last one follows only a finished issue. */
export const transitionsOf = ({ fields }: SandboxIssue) =>
  STATUSES.filter(
    (to) => to !== fields.status && (to !== STATUSES.at(-1) || fields.status.statusCategory.key === "done"),
  ).map((to) => ({ id: String(Number(to.id) - 9_979), name: `→ ${to.name}`, to, isAvailable: true }));

const INVALID: Record<string, string> = {
  summary: "The summary is invalid because it is empty or contains newline characters.",
  description: "Operation value must be an Atlassian Document (see the Atlassian Document Format)",
  assignee: "Specify a valid value for assignee",
  priority: "The priority selected is invalid.",
  labels: "The label contains spaces which is invalid.",
  duedate: "Error parsing date string: it must be in the format yyyy-MM-dd.",
  parentId: "Given parent issue does not belong to appropriate hierarchy.",
  status: "Field 'status' cannot be set. It is not on the appropriate screen, or unknown.",
};

/** The fields that a write sets. */
function readFields({ body }: EmulatedRequest, type: IssueType, { issues }: State): Partial<SandboxIssue["fields"]> {
  const sent = body?.fields ?? {};
  const assignee = [...PEOPLE, me].find(({ accountId }) => accountId === sent.assignee?.id);
  const priority = PRIORITIES.find(({ id }) => id === sent.priority?.id);
  const parent = issues.find(({ id, key }) => id === sent.parent?.id || key === sent.parent?.key);
  checkFields(
    {
      summary: sent.summary === undefined || /^[^\r\n]+$/.test(sent.summary),
      description: !sent.description || sent.description.type === "doc",
      assignee: !sent.assignee || assignee !== undefined,
      priority: !sent.priority || priority !== undefined,
      labels: !sent.labels?.some((label: string) => /\s/.test(label)),
      duedate: sent.duedate === undefined || /^\d{4}-\d\d-\d\d$/.test(sent.duedate),
      parentId: !sent.parent || parent?.fields.issuetype.hierarchyLevel === type.hierarchyLevel + 1,
      // Only a transition changes it.
      status: sent.status === undefined,
    },
    (field) => fieldError(field, INVALID[field]!),
  );
  return {
    ...readOwn(sent),
    ...sentFields(sent, ["summary", "description", "labels", "duedate"]),
    ...(assignee && { assignee }),
    ...(priority && { priority }),
    ...(parent && { parent: reference(parent.id, parent.key) }),
    updated: jiraTime(new Date()),
  };
}

export function createIssue(request: EmulatedRequest, state: State): EmulatedReply {
  const { issues, projects, comments } = state;
  const sent = request.body?.fields ?? {};
  const project = projects.find(({ id, key }) => id === sent.project?.id || key === sent.project?.key);
  if (!project) return fieldError("project", "Specify a valid project ID or key");
  const type = ISSUE_TYPES.find(({ id }) => id === sent.issuetype?.id);
  if (!type) return fieldError("issuetype", "Specify an issue type");
  if (sent.summary === undefined) return fieldError("summary", "You must specify a summary of the issue.");
  if (type.subtask && !sent.parent)
    return errorReply(400, "Issue type is a sub-task but parent issue key or id not specified.");
  const id = String(1 + Math.max(...issues.map((issue) => Number(issue.id))));
  const key = `${project.key}-${issues.length + 1}`;
  const blank = { ...blankFields(project, type, jiraTime(new Date())), priority: PRIORITIES.at(-1)! };
  issues.push(makeIssue(id, key, { ...blank, ...readFields(request, type, state) }));
  comments.set(id, []);
  return reply(201, reference(id, key));
}

export function editIssue(issue: SandboxIssue, request: EmulatedRequest, state: State): EmulatedReply {
  Object.assign(issue.fields, readFields(request, issue.fields.issuetype, state));
  return reply(204);
}

export function doTransition(issue: SandboxIssue, { body }: EmulatedRequest): EmulatedReply {
  const found = transitionsOf(issue).find(({ id }) => id === body?.transition?.id);
  if (!found) return errorReply(400, "It seems that you have tried to perform an illegal workflow operation.");
  const updated = jiraTime(new Date());
  const resolutiondate = found.to.statusCategory.key === "done" ? updated : null;
  Object.assign(issue.fields, { status: found.to, updated, resolutiondate });
  return reply(204);
}

export function createComment(issue: SandboxIssue, { body }: EmulatedRequest, { comments }: State): EmulatedReply {
  if (body?.body?.type !== "doc") refuse(fieldError("comment", "Comment body is not valid!"));
  const id = String(900_000 + [...comments.values()].flat().length);
  const created = makeComment(issue.id, id, me, body.body, jiraTime(new Date()));
  comments.get(issue.id)!.push(created);
  return reply(201, created);
}
