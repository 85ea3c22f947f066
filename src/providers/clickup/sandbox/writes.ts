import type { EmulatedReply, EmulatedRequest, EmulatedRoute } from "../../../contracts/emulator.ts";
import { seeded } from "../../../emulator-kit/data.ts";
import { countWritten, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { LISTS, MEMBERS, me, priority, type SandboxTask, STATUSES, type State, task } from "./data.ts";
import { errorReply, notAuthorized, shown, taskRoute } from "./replies.ts";

const now = () => String(Date.now());
const tasksOf = ({ workspaces }: State) => workspaces.flatMap(({ tasks }) => tasks);
const tag = (name: string) => ({ name, tag_fg: "#fff", tag_bg: "#080" });
const people = (ids: number[]) => MEMBERS.filter(({ id }) => ids.includes(id));

/** The fields that a write sets, or why it is refused. */
function changes({ body }: EmulatedRequest, state: State): { changed: Partial<SandboxTask> } | EmulatedReply {
  const { name, markdown_content, status, priority: level, due_date, parent } = body ?? {};
  if (name === "") return errorReply(400, "Task name invalid", "INPUT_005");
  const next = STATUSES.find((one) => one.status === status);
  if (status !== undefined && !next) return errorReply(400, "Status does not exist", "ITEM_114");
  if (level !== undefined && ![1, 2, 3, 4].includes(level)) return errorReply(400, "Priority invalid", "INPUT_006");
  if (due_date !== undefined && !Number.isInteger(due_date)) return errorReply(400, "Date invalid", "INPUT_007");
  if (parent !== undefined && !tasksOf(state).some(({ id }) => id === parent))
    return errorReply(400, "Parent not found", "ITEM_137");
  const changed = {
    ...(name !== undefined && { name }),
    ...(markdown_content !== undefined && {
      markdown_description: markdown_content,
      text_content: markdown_content,
      description: markdown_content,
    }),
    ...(next && {
      status: next,
      date_closed: next.type === "closed" ? now() : null,
      date_done: ["closed", "done"].includes(next.type) ? now() : null,
    }),
    ...(level !== undefined && { priority: priority(level) }),
    ...(due_date !== undefined && { due_date: String(due_date) }),
    ...(parent !== undefined && { parent }),
    date_updated: now(),
  };
  return { changed };
}

function getList({ params }: EmulatedRequest, { lists }: State): EmulatedReply {
  const found = lists.find(({ id }) => id === params.list);
  return found ? reply(200, { ...found, statuses: STATUSES }) : notAuthorized();
}

function createTask(request: EmulatedRequest, state: State): EmulatedReply {
  const plan = LISTS.find(({ id }) => id === request.params.list);
  if (!plan) return notAuthorized();
  const { name, assignees = [], tags = [] } = request.body ?? {};
  if (typeof name !== "string") return errorReply(400, "Task name invalid", "INPUT_005");
  if (people(assignees).length < assignees.length) return errorReply(400, "Assignee invalid", "ITEM_021");
  const checked = changes(request, state);
  if (isReply(checked)) return checked;
  const created: SandboxTask = {
    ...task(1_000 + countWritten(state), plan, undefined, null, seeded(1)),
    text_content: null,
    description: null,
    markdown_description: null,
    status: STATUSES[0]!,
    date_created: now(),
    date_closed: null,
    date_done: null,
    creator: me,
    assignees: people(assignees),
    tags: tags.map(tag),
    priority: null,
    due_date: null,
    ...checked.changed,
  };
  state.workspaces.find(({ team }) => team.id === plan.team)!.tasks.unshift(created);
  state.comments.set(created.id, []);
  return reply(200, shown(new URLSearchParams())(created));
}

const updateTask = taskRoute((found, request, state) => {
  const checked = changes(request, state);
  if (isReply(checked)) return checked;
  const { add = [], rem = [] } = request.body?.assignees ?? {};
  if (people(add).length < add.length) return errorReply(400, "Assignee invalid", "ITEM_021");
  const kept = found.assignees.filter(({ id }) => !rem.includes(id) && !add.includes(id));
  Object.assign(found, checked.changed, { assignees: [...kept, ...people(add)] });
  return reply(200, shown(new URLSearchParams())(found));
});

const changeTag = (isAdded: boolean) =>
  taskRoute((found, { params }) => {
    const others = found.tags.filter(({ name }) => name !== params.tag);
    found.tags = isAdded ? [...others, tag(params.tag!)] : others;
    return reply(200, {});
  });

const createComment = taskRoute((found, { body }, { comments }) => {
  const pieces = body?.comment ?? (body?.comment_text && [{ text: body.comment_text }]);
  if (!Array.isArray(pieces)) return errorReply(400, "Comment text invalid", "COMMENT_001");
  const all = comments.get(found.id)!;
  const date = Date.now();
  const id = 1 + Math.max(...[...comments.values()].flat().map((comment) => Number(comment.id)));
  all.unshift({
    id: String(id),
    comment: pieces,
    comment_text: pieces.map(({ text }) => text).join(""),
    user: { ...me, initials: "S" },
    resolved: false,
    assignee: null,
    assigned_by: null,
    reactions: [],
    date: String(date),
  });
  return reply(200, { id: String(id), hist_id: `4${id}`, date });
});

export const writeRoutes: Record<string, EmulatedRoute<State>> = {
  "GET /api/v2/list/:list": getList,
  "POST /api/v2/list/:list/task": createTask,
  "PUT /api/v2/task/:task": updateTask,
  "POST /api/v2/task/:task/tag/:tag": changeTag(true),
  "DELETE /api/v2/task/:task/tag/:tag": changeTag(false),
  "POST /api/v2/task/:task/comment": createComment,
};
