import { changeableList, listsByKey, taskLists, toSecond, uuid } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

const stories = changeableList({
  items: ({ stories }: State) => stories,
  parameters: () => ({ project_id: undefined }),
  shows:
    (_, { project_id }) =>
    ({ group_id }) =>
      project_id === undefined || group_id === project_id,
  keeps: ({ stories }) => stories.map(({ parent_story_id }) => parent_story_id && String(parent_story_id)),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create({ nth, now }, { app_url }) {
    const id = 10_000 + nth;
    const url = app_url.replace(/\d+$/, String(id));
    return { id, app_url: url, parent_story_id: null, created_at: toSecond(now) };
  },
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const groups = changeableList({
  items: ({ groups }: State) => groups,
  keeps: ({ stories }) => stories.map(({ group_id }) => group_id),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create({ nth, now }, { app_url, id: copied }) {
    const id = uuid(1_000_000 + nth);
    return { id, app_url: app_url.replace(copied, id), created_at: toSecond(now) };
  },
});

const comments = changeableList({
  ...listsByKey("task_id", ({ comments }: State) => comments),
  isShown: ({ deleted }) => !deleted,
  update: ({ title, now }) => ({ text: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: 5_000_000 + nth, created_at: toSecond(now), deleted: false }),
});

export const changes = taskLists(stories, groups, comments);
