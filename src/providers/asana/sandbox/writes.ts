import { type EmulatedReply, type EmulatedRequest, refuse, reply, sentFields } from "../../../emulator-kit/index.ts";
import { changedFields } from "./custom-fields.ts";
import { COLLEAGUE, emptyTask, ME, named, type SandboxTask, type State, story, TAGS } from "./data.ts";
import { errorReply, findBy, shown } from "./replies.ts";

/** Rich text has to be XML within one `body`. */
function checkRichText(field: string, text: unknown): void {
  if (typeof text !== "string" || !text.startsWith("<body>") || !text.endsWith("</body>"))
    refuse(errorReply(400, `${field}: XML is invalid`));
}

export function changedTask(
  { custom_fields }: Pick<SandboxTask, "custom_fields">,
  { body }: EmulatedRequest,
): Partial<SandboxTask> {
  const { html_notes, completed, assignee, due_on, due_at } = body?.data ?? {};
  const now = new Date().toISOString();
  if (html_notes !== undefined) checkRichText("html_notes", html_notes);
  if (due_on !== undefined && due_at !== undefined)
    refuse(errorReply(400, "due_on: Cannot be set together with due_at"));
  return {
    ...sentFields(body?.data, ["name", "html_notes"]),
    ...(completed !== undefined && { completed, completed_at: completed ? now : null }),
    ...(assignee !== undefined && { assignee: findBy([ME, COLLEAGUE], "assignee", assignee) }),
    ...(due_on !== undefined && { due_on, due_at: null }),
    ...(due_at !== undefined && { due_on: due_at.slice(0, 10), due_at }),
    custom_fields: changedFields(custom_fields, body?.data?.custom_fields),
    modified_at: now,
  };
}

const parentOf = (gid: unknown, { tasks }: State) => {
  const found = findBy(tasks, "parent", gid);
  return named(found.gid, "task", found.name);
};

export function newTask(request: EmulatedRequest, state: State): SandboxTask {
  const { projects = [], tags = [], parent } = request.body?.data ?? {};
  const inProjects = projects.map((gid: unknown) => findBy(state.projects, "projects", gid));
  if (inProjects.length === 0) refuse(errorReply(400, "You should specify one of workspace, parent, projects"));
  const gid = String(7 + Math.max(...state.tasks.map((task) => Number(task.gid))));
  const empty = emptyTask(gid, inProjects[0].workspace, inProjects, new Date().toISOString());
  const created = {
    ...empty,
    tags: tags.map((tag: unknown) => findBy(TAGS, "tags", tag)),
    ...(parent !== undefined && { parent: parentOf(parent, state) }),
    ...changedTask(empty, request),
  };
  state.stories.set(gid, []);
  return created;
}

export function setParent(task: SandboxTask, request: EmulatedRequest, state: State): EmulatedReply {
  task.parent = parentOf(request.body?.data?.parent, state);
  return reply(200, { data: shown(task, request) });
}

/** Adds a tag or a project to a task, or removes it. */
export const changePlace =
  (parameter: "tag" | "project", isAdded: boolean) =>
  (task: SandboxTask, { body }: EmulatedRequest, { projects }: State): EmulatedReply => {
    const { gid, name } = findBy(parameter === "tag" ? TAGS : projects, parameter, body?.data?.[parameter]);
    const list = `${parameter}s` as const;
    const others = task[list].filter((one) => one.gid !== gid);
    task[list] = isAdded ? [...others, named(gid, parameter, name)] : others;
    return reply(200, { data: {} });
  };

export function addStory(task: SandboxTask, request: EmulatedRequest, { stories }: State): EmulatedReply {
  const { html_text } = request.body?.data ?? {};
  checkRichText("html_text", html_text);
  const gid = 1 + Math.max(...[...stories.values()].flat().map((one) => Number(one.gid)));
  const added = story(gid, "comment_added", html_text, new Date(), ME);
  stories.get(task.gid)!.push(added);
  return reply(201, { data: shown(added, request) });
}
