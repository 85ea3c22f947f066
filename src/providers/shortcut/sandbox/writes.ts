import {
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  toSecond,
} from "../../../emulator-kit/index.ts";
import { writtenFields } from "./custom-fields.ts";
import { comment, label, members, type SandboxStory, type State, workflows } from "./data.ts";

const now = () => toSecond(new Date());

/** The fields of a story that a request writes; all others keep their values. */
export function changedStory(
  story: SandboxStory,
  { body }: EmulatedRequest,
  { groups, stories }: State,
): Partial<SandboxStory> {
  const { labels: sent, custom_fields: custom, ...fields } = body ?? {};
  const { name, workflow_state_id, group_id, owner_ids = [], parent_story_id }: SandboxStory = { ...story, ...fields };
  const refuseField = (text: string) => refuse(reply(422, { message: text }));
  if (name === "" || name.length > 512)
    refuse(reply(400, { message: "The request included invalid or missing parameters." }));
  const workflow = workflows.find(({ states }) => states.some(({ id }) => id === workflow_state_id));
  if (!workflow) return refuseField("workflow_state_id: no such workflow state");
  if (group_id && !groups.some(({ id }) => id === group_id)) refuseField("group_id: no such team");
  if (!owner_ids.every((owner) => members.some(({ id }) => id === owner))) refuseField("owner_ids: no such member");
  if (parent_story_id && !stories.some(({ id }) => id === parent_story_id))
    refuseField("parent_story_id: no such story");
  const labels: SandboxStory["labels"] =
    sent?.map((one: { name: string }, index: number) => label(900 + index, one.name)) ?? story.labels;
  const completed = workflow.states.find(({ id }) => id === workflow_state_id)!.type === "done";
  return {
    ...fields,
    ...(custom && { custom_fields: writtenFields(custom) }),
    labels,
    label_ids: labels.map(({ id }) => id),
    workflow_id: workflow.id,
    completed,
    completed_at: completed ? (story.completed_at ?? now()) : null,
    updated_at: now(),
  };
}

/** A story has to be in a state of a workflow. */
export function newStory(request: EmulatedRequest, state: State): SandboxStory {
  const [made] = state.stories as [SandboxStory];
  const id = Math.max(...state.stories.map((story) => story.id)) + 1;
  const story: SandboxStory = {
    ...made,
    id,
    name: "",
    global_id: made.global_id.replace(/\d+$/, String(id)),
    app_url: made.app_url.replace(/\d+$/, String(id)),
    description: "",
    archived: false,
    workflow_state_id: 0,
    group_id: null,
    owner_ids: [],
    labels: [],
    custom_fields: [],
    deadline: null,
    parent_story_id: null,
    completed_at: null,
    completed_at_override: null,
    created_at: now(),
  };
  const written = { ...story, ...changedStory(story, request, state) };
  state.comments.set(id, []);
  return written;
}

export function addComment(story: SandboxStory, { body }: EmulatedRequest, state: State): EmulatedReply {
  const written = { ...comment(story, 500 + countWritten(state), now()), text: body.text };
  state.comments.get(story.id)!.push(written);
  return reply(201, written);
}
