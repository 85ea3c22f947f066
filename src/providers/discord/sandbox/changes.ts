import { changeableList, chatLists, listAt, listsByKey } from "../../../emulator-kit/index.ts";
import { BOT, BOT_ID, discordTime, HIDDEN_CHANNEL, message, type State, snowflake } from "./data.ts";

const newId = (now: Date, nth: number) => snowflake(now.getTime(), 1_000_000 + nth);

const members = changeableList({
  items: ({ members }: State) => members,
  keeps: () => [BOT_ID],
  id: ({ user }) => user.id,
  update: ({ title }) => ({ nick: title }),
  create: ({ nth, now }, { user }) => ({
    user: { ...user, id: newId(now, nth), username: `created_${nth}`, bot: false },
    joined_at: discordTime(now.getTime()),
  }),
});

const channels = changeableList({
  items: ({ channels }: State) => channels,
  isShown: ({ type }) => type === 0,
  keeps: ({ messages }) => [...messages.keys(), HIDDEN_CHANNEL],
  update: ({ nth }) => ({ name: `on-command-${nth}` }),
  create: ({ nth, now }) => ({ id: newId(now, nth), last_message_id: null }),
});

const messages = changeableList({
  ...listsByKey("channel_id", ({ messages }: State) => messages),
  items({ messages, channels }: State, { channel_id }) {
    const exists = channels.some(({ id }) => id === channel_id);
    return listAt(messages, channel_id!, exists);
  },
  // Without replies and forwarded messages, which refer to others.
  isShown: ({ type, message_reference }) => type === 0 && message_reference === undefined,
  update: ({ title, now }) => ({ content: title, edited_timestamp: discordTime(now.getTime()) }),
  create: ({ nth, title, now }, _, __, { channel_id }) =>
    message(newId(now, nth), channel_id!, BOT, title, now.getTime()),
  newestFirst: true,
});

export const changes = chatLists(members, channels, messages);
