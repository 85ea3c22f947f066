import {
  byName,
  type CategoryImplementation,
  defined,
  get,
  isoTime,
  markdownToBodyHtml,
  one,
  path,
  post,
  put,
  refuseFields,
  type TaskFields,
  type tasks,
  type Upstream,
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { customFieldPaths } from "./custom-fields.ts";
import manifest from "./manifest.ts";
import { type AsanaStory, type AsanaTask, STORY_FIELDS, TASK_FIELDS, toComment, toTask } from "./records.ts";

// Only the fields that are read.
interface Tag {
  gid: string;
  name: string;
}
interface Current {
  tags: Tag[];
  projects: { gid: string }[];
  workspace: { gid: string };
}
interface Page {
  data: Tag[];
  next_page?: { offset: string } | null;
}

/** A due date has a time only if it is not midnight. Each of the two fields clears the other. */
function dueFields(due_at: string | undefined) {
  const time = isoTime(due_at);
  if (time === null) return {};
  return time.endsWith("T00:00:00.000Z") ? { due_on: time.slice(0, 10) } : { due_at: time };
}

/** The fields that are set in the same way in a new task and in an existing one. */
function taskFields({ title, description, status, assignee_id, priority, due_at }: TaskFields) {
  refuseFields({ priority }, ["priority"], manifest);
  return {
    name: title,
    html_notes: description === undefined ? undefined : (markdownToBodyHtml(description) ?? "<body></body>"),
    completed:
      status === undefined
        ? undefined
        : byName("status", status, ["incomplete", "completed"], (name) => name) === "completed",
    assignee: assignee_id,
    ...dueFields(due_at),
  };
}

/** The IDs of tags, by their names: a workspace can have hundreds. */
async function tagIds(names: readonly string[], workspace: string, upstream: Upstream): Promise<string[]> {
  if (names.length === 0) return [];
  const tags: Tag[] = [];
  let offset: string | undefined;
  do {
    const { body }: { body: Page } = await upstream<Page>(
      get(path`/workspaces/${workspace}/tags`, { opt_fields: "name", limit: 100, offset }),
    );
    tags.push(...body.data);
    offset = body.next_page?.offset;
  } while (offset);
  return names.map((name) => byName("labels", name, tags, (tag) => tag.name).gid);
}

async function tagsOfNewTask(labels: string[] | undefined, project: string, upstream: Upstream) {
  if (!labels?.length) return undefined;
  const { body } = await upstream<{ data: { workspace: { gid: string } } }>(
    get(path`/projects/${project}`, { opt_fields: "workspace" }),
  );
  return tagIds(labels, body.data.workspace.gid, upstream);
}

/** The calls that change what a task's own fields do not contain: its tags, its parent and its project. */
async function furtherChanges(
  {
    task_id,
    labels,
    parent_id,
    project_id,
  }: { task_id: string; labels?: string[]; parent_id?: string; project_id?: string },
  upstream: Upstream,
): Promise<UpstreamRequest[]> {
  const calls: UpstreamRequest[] = [];
  const call = (name: string, data: object) => calls.push(post(`${path`/tasks/${task_id}`}/${name}`, { data }));
  if (labels !== undefined || project_id !== undefined) {
    const { body } = await upstream<{ data: Current }>(
      get(path`/tasks/${task_id}`, { opt_fields: "tags.name,projects,workspace" }),
    );
    const { tags, projects, workspace } = body.data;
    if (labels !== undefined) {
      const wanted = new Set(await tagIds(labels, workspace.gid, upstream));
      for (const tag of wanted) if (!tags.some(({ gid }) => gid === tag)) call("addTag", { tag });
      for (const { gid } of tags) if (!wanted.has(gid)) call("removeTag", { tag: gid });
    }
    // The first project is the one that the record has. Of a task that is in the given one already, no other is removed.
    if (project_id !== undefined && !projects.some(({ gid }) => gid === project_id)) {
      call("addProject", { project: project_id });
      if (projects[0]) call("removeProject", { project: projects[0].gid });
    }
  }
  if (parent_id !== undefined) call("setParent", { parent: parent_id });
  return calls;
}

const editTask = (id: string, fields: object) => put(path`/tasks/${id}`, { data: fields });

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({
    requires: ["project_id"],
    async load({ input, upstream, write, select }) {
      const { project_id: project } = input;
      const data = {
        ...taskFields(input),
        projects: [project],
        parent: input.parent_id,
        tags: await tagsOfNewTask(input.labels, project, upstream),
      };
      const request = post("/tasks", { data }, {}, { query: { opt_fields: TASK_FIELDS + customFieldPaths(select) } });
      return (await write<{ data: AsanaTask }>(request)).body.data;
    },
    record: toTask,
  }),

  updateTask: one({
    async load({ input, upstream, write, addsToBody, select }) {
      const fields = defined(taskFields(input));
      const further = await furtherChanges(input, upstream);
      if (Object.keys(fields).length > 0 || addsToBody) await write(editTask(input.task_id, fields));
      for (const call of further) await upstream(call);
      const request = get(path`/tasks/${input.task_id}`, { opt_fields: TASK_FIELDS + customFieldPaths(select) });
      return (await upstream<{ data: AsanaTask }>(request)).body.data;
    },
    record: toTask,
  }),

  createComment: one({
    request: ({ input }) =>
      post(
        path`/tasks/${input.task_id}/stories`,
        { data: { html_text: markdownToBodyHtml(input.text) ?? "<body></body>" } },
        {},
        { query: { opt_fields: STORY_FIELDS } },
      ),
    record: ({ data }: { data: AsanaStory }) => toComment(data),
    original: ({ data }) => data,
  }),
};
