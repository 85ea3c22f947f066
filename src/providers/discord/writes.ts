import { type CategoryImplementation, type chat, path, post } from "../../provider-kit/index.ts";

export const writes: CategoryImplementation<typeof chat.operations> = {
  // A text may mention users, but not everyone: https://docs.discord.com/developers/resources/message#allowed-mentions-object
  sendMessage: {
    request: ({ input }) =>
      post(path`/channels/${input.channel_id}/messages`, {
        content: input.text,
        message_reference: input.thread_id && { message_id: input.thread_id },
        allowed_mentions: { parse: ["users"] },
      }),
  },
};
