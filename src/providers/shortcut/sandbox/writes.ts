import { toSecond } from "../../../emulator-kit/data.ts";
import { countWritten } from "../../../emulator-kit/emulator.ts";
import { comment, commentsOf, label, type SandboxComment, type SandboxStory, type State } from "./data.ts";

/** Why a write is refused. */
export interface Problem {
  problem: number;
  message: string;
}

/** The part of a story's description that the sandbox stores. */
interface WrittenStory {
  name?: string;
  description?: string;
  workflow_state_id?: number;
  group_id?: string | null;
  owner_ids?: string[];
  labels?: { name: string }[];
  deadline?: string | null;
  parent_story_id?: number | null;
}

const now = () => toSecond(new Date());

function problemOf(written: WrittenStory, { workflows, groups, members, stories }: State): Problem | undefined {
  const { name, workflow_state_id: state, group_id, owner_ids = [], parent_story_id: parent } = written;
  if (name !== undefined && (name === "" || name.length > 512))
    return { problem: 400, message: "The request included invalid or missing parameters." };
  if (state !== undefined && !workflows.some(({ states }) => states.some(({ id }) => id === state)))
    return { problem: 422, message: "workflow_state_id: no such workflow state" };
  if (group_id && !groups.some(({ id }) => id === group_id)) return { problem: 422, message: "group_id: no such team" };
  if (!owner_ids.every((owner) => members.some(({ id }) => id === owner)))
    return { problem: 422, message: "owner_ids: no such member" };
  return parent && !stories.some(({ id }) => id === parent)
    ? { problem: 422, message: "parent_story_id: no such story" }
    : undefined;
}

export function changeStory(story: SandboxStory, written: WrittenStory, state: State): SandboxStory | Problem {
  const problem = problemOf(written, state);
  if (problem) return problem;
  const { labels, ...fields } = written;
  Object.assign(story, fields, { updated_at: now() });
  if (labels) {
    story.labels = labels.map(({ name }, index) => label(900 + index, name));
    story.label_ids = story.labels.map(({ id }) => id);
  }
  const workflow = state.workflows.find(({ states }) => states.some(({ id }) => id === story.workflow_state_id))!;
  const { type } = workflow.states.find(({ id }) => id === story.workflow_state_id)!;
  story.workflow_id = workflow.id;
  story.completed = type === "done";
  story.completed_at = story.completed ? (story.completed_at ?? now()) : null;
  return story;
}

/** A story has to be in a state of a workflow. */
export function createStory(written: WrittenStory, state: State): SandboxStory | Problem {
  if (!written.name) return { problem: 400, message: "The request included invalid or missing parameters." };
  if (written.workflow_state_id === undefined)
    return { problem: 422, message: "Either workflow_state_id or project_id is required." };
  const problem = problemOf(written, state);
  if (problem) return problem;
  const [made] = state.stories as [SandboxStory];
  const id = Math.max(...state.stories.map((story) => story.id)) + 1;
  const story: SandboxStory = {
    ...made,
    id,
    global_id: made.global_id.replace(/\d+$/, String(id)),
    app_url: made.app_url.replace(/\d+$/, String(id)),
    description: "",
    archived: false,
    group_id: null,
    owner_ids: [],
    labels: [],
    label_ids: [],
    deadline: null,
    parent_story_id: null,
    completed_at: null,
    completed_at_override: null,
    created_at: now(),
  };
  state.stories.push(story);
  return changeStory(story, written, state);
}

export function addComment(story: SandboxStory, { text }: { text: string }, state: State): SandboxComment {
  const written = { ...comment(story, 500 + countWritten(state), now()), text };
  state.comments.set(story.id, [...commentsOf(story, state), written]);
  return written;
}
