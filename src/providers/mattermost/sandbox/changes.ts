import { changeableList, chatLists, listAt, listsByKey } from "../../../emulator-kit/index.ts";
import { newId, newPost, type State } from "./data.ts";

const users = changeableList({
  items: ({ users }: State) => users,
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
  isShown: ({ type }) => type === "O" || type === "P",
  keeps: ({ posts }) => posts.keys(),
  update: ({ title, now }) => ({ display_name: title, update_at: now.getTime() }),
  create: ({ nth, now }) => ({ id: newId(2_000_000 + nth), name: `created-${nth}`, create_at: now.getTime() }),
});

const posts = changeableList({
  ...listsByKey("channel_id", ({ posts }: State) => posts),
  items({ posts, channels }: State, { channel_id }) {
    const exists = channels.some(({ id }) => id === channel_id);
    return listAt(posts, channel_id!, exists);
  },
  isShown: ({ type }) => type === "",
  keeps: ({ posts }) => [...posts.values()].flat().map(({ root_id }) => root_id),
  update: ({ title, now }) => ({ message: title, update_at: now.getTime(), edit_at: now.getTime() }),
  create: ({ nth, title, now }, { user_id }, _, { channel_id }) =>
    newPost(newId(3_000_000 + nth), channel_id!, user_id, title, now.getTime()),
  newestFirst: true,
});

export const changes = chatLists(users, channels, posts);
