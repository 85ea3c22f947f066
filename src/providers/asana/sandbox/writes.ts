import type { EmulatedReply, EmulatedRequest, EmulatedRoute } from "../../../contracts/emulator.ts";
import { isReply, reply } from "../../../emulator-kit/emulator.ts";
import { COLLEAGUE, me, named, type SandboxTask, type State, TAGS } from "./data.ts";
import { errorReply, requestedFields, selectFields, taskRoute, unknownObject } from "./replies.ts";

const PEOPLE = [me, COLLEAGUE];

/** Rich text has to be XML within one `body`. */
const isRichText = (text: unknown) => typeof text === "string" && text.startsWith("<body>") && text.endsWith("</body>");
const invalidXml = (field: string) => errorReply(400, `${field}: XML is invalid`);

/** The fields that a write sets, or why it is refused. */
function changes({ body }: EmulatedRequest): Partial<SandboxTask> | EmulatedReply {
  const { name, html_notes, completed, assignee, due_on, due_at } = body?.data ?? {};
  const now = new Date().toISOString();
  if (html_notes !== undefined && !isRichText(html_notes)) return invalidXml("html_notes");
  if (due_on !== undefined && due_at !== undefined)
    return errorReply(400, "due_on: Cannot be set together with due_at");
  const person = PEOPLE.find(({ gid }) => gid === assignee);
  if (assignee !== undefined && !person) return unknownObject("assignee", String(assignee));
  return {
    ...(name !== undefined && { name }),
    ...(html_notes !== undefined && { html_notes }),
    ...(completed !== undefined && { completed, completed_at: completed ? now : null }),
    ...(person && { assignee: named(person.gid, "user", person.name) }),
    ...(due_on !== undefined && { due_on, due_at: null }),
    ...(due_at !== undefined && { due_on: due_at.slice(0, 10), due_at }),
    modified_at: now,
  };
}

const taskReply = (status: number, task: SandboxTask, request: EmulatedRequest) =>
  reply(status, { data: selectFields(task, requestedFields(request), Object.keys(task)) });

function createTask(request: EmulatedRequest, state: State): EmulatedReply {
  const { projects: wanted = [], tags = [], parent } = request.body?.data ?? {};
  const projects = state.projects.filter(({ gid }) => wanted.includes(gid));
  if (projects.length < wanted.length) return unknownObject("projects", String(wanted[0]));
  const [first] = projects;
  if (!first) return errorReply(400, "You should specify one of workspace, parent, projects");
  if (tags.some((tag: string) => !TAGS.some(({ gid }) => gid === tag))) return unknownObject("tags", String(tags[0]));
  const parentTask = state.tasks.find(({ gid }) => gid === parent);
  if (parent !== undefined && !parentTask) return unknownObject("parent", String(parent));
  const changed = changes(request);
  if (isReply(changed)) return changed;
  const gid = String(7 + Math.max(...state.tasks.map((task) => Number(task.gid))));
  const now = new Date().toISOString();
  const task: SandboxTask = {
    gid,
    resource_type: "task",
    name: "",
    resource_subtype: "default_task",
    html_notes: "<body></body>",
    completed: false,
    completed_at: null,
    created_at: now,
    modified_at: now,
    due_on: null,
    due_at: null,
    assignee: null,
    projects: projects.map((project) => named(project.gid, "project", project.name)),
    memberships: projects.map((project) => ({ project: named(project.gid, "project", project.name) })),
    tags: TAGS.filter((tag) => tags.includes(tag.gid)),
    parent: parentTask ? named(parentTask.gid, "task", parentTask.name) : null,
    num_likes: 0,
    permalink_url: `https://app.asana.com/1/${first.workspace.gid}/project/${first.gid}/task/${gid}`,
    workspace: named(first.workspace.gid, "workspace", first.workspace.name),
    ...changed,
  };
  state.tasks.push(task);
  state.stories.set(gid, []);
  return taskReply(201, task, request);
}

const updateTask = taskRoute((task, request) => {
  const changed = changes(request);
  if (isReply(changed)) return changed;
  return taskReply(200, Object.assign(task, changed), request);
});

const nothing = () => reply(200, { data: {} });

const setParent = taskRoute((task, request, { tasks }) => {
  const { parent } = request.body?.data ?? {};
  const found = tasks.find(({ gid }) => gid === parent);
  if (!found) return unknownObject("parent", String(parent));
  task.parent = named(found.gid, "task", found.name);
  return taskReply(200, task, request);
});

const changeTags = (change: (tags: SandboxTask["tags"], tag: SandboxTask["tags"][number]) => SandboxTask["tags"]) =>
  taskRoute((task, { body }) => {
    const tag = TAGS.find(({ gid }) => gid === body?.data?.tag);
    if (!tag) return unknownObject("tag", String(body?.data?.tag));
    task.tags = change(task.tags, tag);
    return nothing();
  });

const changeProjects = (
  change: (projects: SandboxTask["projects"], project: SandboxTask["projects"][number]) => SandboxTask["projects"],
) =>
  taskRoute((task, { body }, { projects }) => {
    const project = projects.find(({ gid }) => gid === body?.data?.project);
    if (!project) return unknownObject("project", String(body?.data?.project));
    task.projects = change(task.projects, named(project.gid, "project", project.name));
    return nothing();
  });

const without = <Item extends { gid: string }>(items: Item[], item: Item) =>
  items.filter(({ gid }) => gid !== item.gid);

const createStory = taskRoute((task, request, { stories }) => {
  const { html_text } = request.body?.data ?? {};
  if (!isRichText(html_text)) return invalidXml("html_text");
  const all = stories.get(task.gid)!;
  const story = {
    gid: String(1 + Math.max(...[...stories.values()].flat().map(({ gid }) => Number(gid)))),
    resource_type: "story",
    type: "comment",
    resource_subtype: "comment_added",
    html_text,
    created_at: new Date().toISOString(),
    created_by: named(me.gid, "user", me.name),
  };
  all.push(story);
  return reply(201, { data: selectFields(story, requestedFields(request), Object.keys(story)) });
});

export const writeRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /api/1.0/tasks": createTask,
  "PUT /api/1.0/tasks/:task": updateTask,
  "POST /api/1.0/tasks/:task/setParent": setParent,
  "POST /api/1.0/tasks/:task/addTag": changeTags((tags, tag) => [...without(tags, tag), tag]),
  "POST /api/1.0/tasks/:task/removeTag": changeTags(without),
  "POST /api/1.0/tasks/:task/addProject": changeProjects((projects, project) => [
    ...without(projects, project),
    project,
  ]),
  "POST /api/1.0/tasks/:task/removeProject": changeProjects(without),
  "POST /api/1.0/tasks/:task/stories": createStory,
};
