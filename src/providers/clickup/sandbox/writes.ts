import {
  alike,
  checkFields,
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  seeded,
  sentFields,
} from "../../../emulator-kit/index.ts";
import { changedField, noValues } from "./custom-fields.ts";
import { comment, LISTS, MEMBERS, me, priority, type SandboxTask, STATUSES, type State, tag, task } from "./data.ts";
import { errorReply } from "./errors.ts";

/** Whatever the user cannot see belongs to a workspace that was not granted. */
export const notAuthorized = () => errorReply(401, "Team not authorized", "OAUTH_027");

const now = () => String(Date.now());
const invalid = (field: string) => errorReply(400, `${field} invalid`, "INPUT_005");

function people(ids: number[]) {
  const found = MEMBERS.filter(({ id }) => ids.includes(id));
  return found.length < ids.length ? refuse(invalid("Assignee")) : found;
}

/** The fields that are set in the same way in a new task and in an existing one. */
function writtenFields({ body }: EmulatedRequest, { tasks }: State): Partial<SandboxTask> {
  const { name, markdown_content, status, priority: level, due_date, parent } = body ?? {};
  const next = STATUSES.find((one) => one.status === status);
  const valid = {
    name: name !== "",
    status: status === undefined || next !== undefined,
    priority: [undefined, 1, 2, 3, 4].includes(level),
    due_date: due_date === undefined || Number.isInteger(due_date),
    parent: parent === undefined || tasks.some(({ id }) => id === parent),
  };
  checkFields(valid, invalid);
  return {
    ...sentFields(body, ["name", "parent"]),
    ...(markdown_content !== undefined && alike("markdown_description text_content description", markdown_content)),
    ...(next && {
      status: next,
      date_closed: next.type === "closed" ? now() : null,
      date_done: ["closed", "done"].includes(next.type) ? now() : null,
    }),
    ...(level !== undefined && { priority: priority(level) }),
    ...(due_date !== undefined && { due_date: String(due_date) }),
    date_updated: now(),
  };
}

export function newTask(request: EmulatedRequest, state: State): SandboxTask {
  const plan = LISTS.find(({ id }) => id === request.params.list) ?? refuse(notAuthorized());
  const { name, assignees = [], tags = [], custom_fields = [] } = request.body ?? {};
  if (typeof name !== "string") refuse(invalid("name"));
  const made = task(1_000 + countWritten(state), plan, seeded(1));
  const created: SandboxTask = {
    ...made,
    custom_fields: custom_fields.reduce(
      (fields: SandboxTask["custom_fields"], { id, value }: { id: string; value: unknown }) =>
        changedField(fields, id, value),
      made.custom_fields.length > 0 ? noValues() : [],
    ),
    ...alike("text_content description markdown_description date_closed date_done priority due_date", null),
    status: STATUSES[0]!,
    date_created: now(),
    creator: me,
    assignees: people(assignees),
    tags: tags.map(tag),
    ...writtenFields(request, state),
  };
  state.comments.set(created.id, []);
  return created;
}

export function changedTask(found: SandboxTask, request: EmulatedRequest, state: State): Partial<SandboxTask> {
  const { add = [], rem = [] } = request.body?.assignees ?? {};
  const kept = found.assignees.filter(({ id }) => !rem.includes(id) && !add.includes(id));
  return { ...writtenFields(request, state), assignees: [...kept, ...people(add)] };
}

export const changeTag =
  (isAdded: boolean) =>
  (found: SandboxTask, { params }: EmulatedRequest): EmulatedReply => {
    const others = found.tags.filter(({ name }) => name !== params.tag);
    found.tags = isAdded ? [...others, tag(params.tag!)] : others;
    return reply(200, {});
  };

export function addComment(found: SandboxTask, { body }: EmulatedRequest, { comments }: State): EmulatedReply {
  if (!Array.isArray(body?.comment)) return errorReply(400, "Comment text invalid", "COMMENT_001");
  const date = Date.now();
  const id = 1 + Math.max(...[...comments.values()].flat().map((one) => Number(one.id)));
  comments.get(found.id)!.unshift(comment(id, body.comment, me, date));
  return reply(200, { id: String(id), hist_id: `4${id}`, date });
}
