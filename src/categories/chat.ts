import Type, { type Static } from "typebox";
import { category, list, send } from "./define.ts";
import { Nullable, NullableText, NullableTimestamp, Shape, Text } from "./schema.ts";

export const ChatUser = Shape("ChatUser", { id: Text(), name: Text() });
export type ChatUser = Static<typeof ChatUser>;

export const ChatChannel = Shape("ChatChannel", { id: Text(), name: Text() });
export type ChatChannel = Static<typeof ChatChannel>;

export const ChatMessage = Shape("ChatMessage", {
  id: Text(),
  text: NullableText("Message text"),
  author: Nullable(
    Type.Object(
      { id: NullableText(), name: NullableText("Null if the provider only returns an ID") },
      { additionalProperties: false },
    ),
  ),
  created_at: NullableTimestamp("When it was sent"),
  thread_id: NullableText("ID of the message that this one replies to; null for a top-level message"),
});
export type ChatMessage = Static<typeof ChatMessage>;

/** The longest text that any provider accepts. Beyond its own limit, a provider returns its own error. */
const MAX_MESSAGE_LENGTH = 40_000;

const OutgoingMessage = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MAX_MESSAGE_LENGTH, description: "The message, in Markdown" }),
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
