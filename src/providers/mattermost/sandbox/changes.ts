import { changeableList, chatLists, firstFilled, listAt } from "../../../emulator-kit/changes.ts";
import { newId, type State } from "./data.ts";

const users = changeableList({
  items: ({ users }: State) => users,
  id: ({ id }) => id,
  update: ({ title, now }) => ({ nickname: title, update_at: now.getTime() }),
  // The list is in the order of the usernames: new ones come last.
  create: ({ nth, now }) => ({
    id: newId(1_000_000 + nth),
    username: `zz_created_${String(nth).padStart(6, "0")}`,
    email: `created-${nth}@example.com`,
    create_at: now.getTime(),
  }),
  impossible: { delete: "a deactivated account stays in the list" },
});

const channels = changeableList({
  items: ({ channels }: State) => channels,
  shows:
    () =>
    ({ type }) =>
      type === "O" || type === "P",
  keeps: ({ posts }) => posts.keys(),
  id: ({ id }) => id,
  update: ({ title, now }) => ({ display_name: title, update_at: now.getTime() }),
  create: ({ nth, now }) => ({
    id: newId(2_000_000 + nth),
    name: `created-${nth}`,
    create_at: now.getTime(),
    total_msg_count: 0,
  }),
});

const posts = changeableList({
  items: ({ posts, channels }: State, { channel_id }) =>
    listAt(
      posts,
      channel_id!,
      channels.some(({ id }) => id === channel_id),
    ),
  parameters: ({ posts }) => ({ channel_id: firstFilled(posts)?.key }),
  sample: ({ posts }) => firstFilled(posts)?.sample,
  shows:
    () =>
    ({ type }) =>
      type === "",
  keeps: ({ posts }) => [...posts.values()].flat().map(({ root_id }) => root_id),
  id: ({ id }) => id,
  update: ({ title, now }) => ({ message: title, update_at: now.getTime(), edit_at: now.getTime() }),
  create: ({ nth, now }, _, __, { channel_id }) => ({
    id: newId(3_000_000 + nth),
    channel_id: channel_id!,
    root_id: "",
    reply_count: 0,
    props: {},
    create_at: now.getTime(),
    edit_at: 0,
  }),
  newestFirst: true,
});

export const changes = chatLists(users, channels, posts);
