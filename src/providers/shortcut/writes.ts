import {
  byName,
  type CategoryImplementation,
  type Context,
  get,
  type InputOf,
  one,
  path,
  post,
  put,
  type TaskFields,
  type tasks,
  type Upstream,
  unknownValue,
} from "../../provider-kit/index.ts";
import { customValues } from "./custom-fields.ts";
import {
  type NamedStory,
  type People,
  readPeople,
  readWorkflows,
  type ShortcutComment,
  type ShortcutStory,
  type ShortcutWorkflow,
  statesOf,
  toComment,
  toNamedTask,
} from "./records.ts";

type NewTask = InputOf<typeof tasks.operations.createTask>;
type TaskChange = InputOf<typeof tasks.operations.updateTask>;

/** IDs of stories are numbers. Shortcut itself refuses another one. */
const storyId = (id: string) => (/^\d{1,15}$/.test(id) ? Number(id) : id);

/** What both writes have in common. */
function fields({ title, priority, ...input }: TaskFields): Record<string, unknown> {
  // A priority is a custom field, which a workspace may name and fill as it likes.
  if (priority !== undefined) throw unknownValue("priority", priority, []);
  return {
    name: title,
    description: input.description,
    group_id: input.project_id,
    owner_ids: input.assignee_id && [input.assignee_id],
    labels: input.labels?.map((name) => ({ name })),
    deadline: input.due_at,
    parent_story_id: input.parent_id && storyId(input.parent_id),
  };
}

const stateNamed = (name: string, workflows: readonly ShortcutWorkflow[]) =>
  byName(
    "status",
    name,
    workflows.flatMap(({ states }) => states),
    (state) => state.name,
  ).id;

interface Team {
  workflow_ids?: number[];
  default_workflow_id?: number | null;
}

/** The workflows that a new story may be in, the usual one first: a story without a team is in one of the workspace's. */
async function workflowsFor(team: string | undefined, upstream: Upstream): Promise<ShortcutWorkflow[]> {
  const all = await readWorkflows(upstream);
  const { workflow_ids = [], default_workflow_id } =
    team === undefined ? ({} as Team) : (await upstream<Team>(get(path`/groups/${team}`))).body;
  const usual =
    default_workflow_id ??
    workflow_ids[0] ??
    (await upstream<{ workspace2: { default_workflow_id: number } }>(get("/member"))).body.workspace2
      .default_workflow_id;
  const own = all.filter(({ id }) => id === usual || workflow_ids.length === 0 || workflow_ids.includes(id));
  return own.sort((one, other) => Number(other.id === usual) - Number(one.id === usual));
}

/** A story is always in a state of a workflow. https://developer.shortcut.com/api/rest/v3#Create-Story */
async function createStory({ input, upstream, write, written }: Context<NewTask>): Promise<NamedStory> {
  const body = fields(input);
  const workflows = await workflowsFor(input.project_id, upstream);
  const workflow_state_id =
    input.status === undefined ? workflows[0]?.default_state_id : stateNamed(input.status, workflows);
  const custom_fields = customValues(written);
  const people = await readPeople(upstream);
  const { body: story } = await write<ShortcutStory>(post("/stories", { ...body, workflow_state_id, custom_fields }));
  return { story, people, states: statesOf(workflows) };
}

/** https://developer.shortcut.com/api/rest/v3#Update-Story */
async function updateStory({ input, upstream, write, written }: Context<TaskChange>): Promise<NamedStory> {
  const { task_id, status, ...rest } = input;
  const body = fields(rest);
  const workflows = await readWorkflows(upstream);
  if (status !== undefined || written.length > 0) {
    const { body: before } = await upstream<ShortcutStory>(get(path`/stories/${task_id}`));
    body.custom_fields = customValues(written, before.custom_fields);
    if (status !== undefined)
      body.workflow_state_id = stateNamed(
        status,
        workflows.filter(({ id }) => id === before.workflow_id),
      );
  }
  const people = await readPeople(upstream);
  const { body: story } = await write<ShortcutStory>(put(path`/stories/${task_id}`, body));
  return { story, people, states: statesOf(workflows) };
}

export const writes: CategoryImplementation<typeof tasks.operations> = {
  createTask: one({ load: createStory, record: toNamedTask, original: ({ story }) => story }),

  updateTask: one({ load: updateStory, record: toNamedTask, original: ({ story }) => story }),

  createComment: one({
    async load({ input, upstream, write }) {
      const people = await readPeople(upstream);
      const { body } = await write<ShortcutComment>(
        post(path`/stories/${input.task_id}/comments`, { text: input.text }),
      );
      return { comment: body, people };
    },
    record: ({ comment, people }: { comment: ShortcutComment } & People) => toComment(comment, { people }),
    original: ({ comment }) => comment,
  }),
};
