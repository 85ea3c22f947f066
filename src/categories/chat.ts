import Type, { type Static } from "typebox";
import { category, list, send } from "./define.ts";
import {
  Body,
  Given,
  GivenText,
  NullableFlag,
  NullablePerson,
  NullableText,
  NullableTimestamp,
  Shape,
  Text,
} from "./schema.ts";

export const ChatUser = Shape("ChatUser", {
  id: Text(),
  name: Text(),
  email: NullableText("Email address"),
  avatar_url: NullableText("Address of a picture"),
  is_bot: NullableFlag("Whether it is a bot or an application"),
});
export type ChatUser = Static<typeof ChatUser>;

export const ChatChannel = Shape("ChatChannel", {
  id: Text(),
  name: Text(),
  is_private: NullableFlag("Whether only members can see it"),
  topic: NullableText("Topic, purpose or description, in Markdown"),
});
export type ChatChannel = Static<typeof ChatChannel>;

export const ChatMessage = Shape("ChatMessage", {
  id: Text(),
  text: NullableText("Message text, in Markdown"),
  author: NullablePerson(),
  created_at: NullableTimestamp("When it was sent"),
  thread_id: NullableText("ID of the message that this one replies to; null for a top-level message"),
  url: NullableText("Page of the message"),
});
export type ChatMessage = Static<typeof ChatMessage>;

const OutgoingMessage = Body({
  text: GivenText("The message, in Markdown"),
  thread_id: Type.Optional(
    Given(255, "The message to reply to: the `id` of a message, or the `thread_id` of another reply to it"),
  ),
});

export const chat = category(
  "chat",
  "Chat",
  {
    channel_id: {
      description: "ID of the channel, as returned by the list of channels",
      source: { operation: "listChannels", field: "id" },
    },
  },
  {
    listUsers: list("/users", ChatUser, "List users"),
    listChannels: list("/channels", ChatChannel, "List channels"),
    listMessages: list("/channels/:channel_id/messages", ChatMessage, "List a channel's messages", {
      description: "Newest first.",
    }),
    sendMessage: send("/channels/:channel_id/message", OutgoingMessage, "Send a message to a channel", {
      sample: { text: "Version 2 is **live** 🎉 Search & <filters>: [what is new](https://example.com/v2)" },
    }),
  },
);
