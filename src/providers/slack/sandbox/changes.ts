import { changeableList, chatLists, firstFilled, listAt } from "../../../emulator-kit/index.ts";
import type { Channel, State } from "./data.ts";
import { numbered, timestamp } from "./messages.ts";

const seconds = (now: Date) => Math.floor(now.getTime() / 1000);

const users = changeableList({
  items: ({ users }: State) => users,
  isShown: ({ deleted }) => !deleted,
  update: ({ title, now }, { profile }) => ({
    real_name: title,
    profile: { ...profile, real_name: title, display_name: title },
    updated: seconds(now),
  }),
  create: ({ nth }) => ({ id: numbered("U", 100_000 + nth), name: `created_${nth}` }),
  impossible: { delete: "a deactivated user stays in the list" },
});

type NamedChannel = Extract<Channel, { name: string }>;

const channels = changeableList<State, NamedChannel>({
  // Direct messages are not shown, so they are not changed.
  items: ({ channels }) => channels as NamedChannel[],
  isShown: ({ is_im }) => !is_im,
  keeps: ({ messages }) => messages.keys(),
  update: ({ nth }) => ({ name: `on-command-${nth}`, name_normalized: `on-command-${nth}` }),
  create: ({ nth, now }) => ({
    id: numbered("C", 100_000 + nth),
    created: seconds(now),
    is_general: false,
    is_archived: false,
    is_member: true,
  }),
});

const messages = changeableList({
  items: ({ messages, channels }: State, { channel_id }) =>
    listAt(
      messages,
      channel_id!,
      channels.some(({ id }) => id === channel_id),
    ),
  parameters: ({ messages }) => ({ channel_id: firstFilled(messages)?.key }),
  sample: ({ messages }) => firstFilled(messages)?.sample,
  // Without threads: a deleted message that has replies leaves a trace.
  isShown: ({ subtype, thread_ts }) => subtype === undefined && thread_ts === undefined,
  id: ({ ts }) => ts,
  update: ({ title }) => ({ text: title }),
  // In microseconds, so that each has its own.
  create: ({ nth, now }) => ({ ts: timestamp(now.getTime() * 1000 + nth) }),
  newestFirst: true,
});

export const changes = chatLists(users, channels, messages);
