import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import { toSecond, uuid } from "../../../emulator-kit/data.ts";
import type { State } from "./data.ts";

const stories = changeableList({
  items: ({ stories }: State) => stories,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ group_id }) =>
      project_id === undefined || group_id === project_id,
  keeps: ({ stories }) => stories.map(({ parent_story_id }) => parent_story_id && String(parent_story_id)),
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create({ nth, now }, { app_url }) {
    const id = 10_000 + nth;
    return {
      id,
      app_url: app_url.replace(/\d+$/, String(id)),
      parent_story_id: null,
      created_at: toSecond(now),
    };
  },
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const groups = changeableList({
  items: ({ groups }: State) => groups,
  keeps: ({ stories }) => stories.map(({ group_id }) => group_id),
  id: ({ id }) => id,
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create: ({ nth, now }, { app_url, id }) => ({
    id: uuid(1_000_000 + nth),
    app_url: app_url.replace(id, uuid(1_000_000 + nth)),
    created_at: toSecond(now),
  }),
});

const comments = changeableList({
  items: ({ comments }: State, { task_id }) => comments.get(Number(task_id)),
  parameters: ({ comments }) => ({ task_id: String(firstFilled(comments)?.key) }),
  sample: ({ comments }) => firstFilled(comments)?.sample,
  shows: () => (comment) => !comment.deleted,
  id: ({ id }) => String(id),
  update: ({ title, now }) => ({ text: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: 5_000_000 + nth, created_at: toSecond(now), deleted: false }),
});

export const changes = taskLists(stories, groups, comments);
