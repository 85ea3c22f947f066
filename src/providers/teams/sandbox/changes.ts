import { changeableList, chatLists, firstFilled, graphGuid, listAt, seeded } from "../../../emulator-kit/index.ts";
import { FIRST_TEAM, type State } from "./data.ts";
import { byUser, newMessage } from "./messages.ts";

/** Unified names a channel together with its team. */
const unifiedId = (team: string, channel: string) => `${team}~${channel}`;
const targetOf = ({ channel_id = "" }: Record<string, string>) => {
  const [team = "", channel = ""] = channel_id.split("~");
  return { team, channel };
};

const users = changeableList({
  items: ({ users }: State) => users,
  // The user who is connected.
  keeps: ({ users }) => users.slice(0, 1).map(({ id }) => id),
  update: ({ title }) => ({ displayName: title }),
  create: ({ nth }) => ({
    id: graphGuid(1_000_000 + nth),
    mail: `created-${nth}@example.com`,
    userPrincipalName: `created-${nth}@example.com`,
  }),
});

/** Those of the first team. */
const channels = changeableList({
  items: ({ channels }: State) => channels.get(FIRST_TEAM),
  keeps: ({ messages }) => [...messages.keys()].map((id) => unifiedId(FIRST_TEAM, id)),
  id: ({ id }) => unifiedId(FIRST_TEAM, id),
  update: ({ title }) => ({ displayName: title }),
  create: ({ nth, time }) => ({
    id: `19:${seeded(1_000_000 + nth).hex(32)}@thread.tacv2`,
    createdDateTime: time,
    membershipType: "standard" as const,
  }),
});

const messages = changeableList({
  items({ messages, channels }: State, parameters) {
    const { team, channel } = targetOf(parameters);
    return listAt(messages, channel, channels.get(team)?.some(({ id }) => id === channel) ?? false);
  },
  parameters: ({ messages }) => ({ channel_id: unifiedId(FIRST_TEAM, firstFilled(messages)?.key ?? "") }),
  sample: ({ messages }) => firstFilled(messages)?.sample,
  isShown: ({ messageType, deletedDateTime }) => messageType === "message" && deletedDateTime === null,
  update: ({ title, time }) => ({
    body: { contentType: "text" as const, content: title },
    subject: null,
    lastModifiedDateTime: time,
    lastEditedDateTime: time,
  }),
  create({ nth, title, now }, _, { users }, parameters) {
    const body = { contentType: "text" as const, content: title };
    const message = newMessage(targetOf(parameters), now.getTime(), byUser(users[0]!), body);
    // Each has its own, even if they are made in the same millisecond.
    const id = String(now.getTime() * 1000 + nth);
    return { ...message, id, webUrl: message.webUrl.replace(message.id, id) };
  },
  markDeleted: ({ time }) => ({
    deletedDateTime: time,
    lastModifiedDateTime: time,
    from: null,
    body: { contentType: "html" as const, content: "" },
  }),
});

export const changes = chatLists(users, channels, messages);
