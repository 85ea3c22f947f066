import { type CategoryImplementation, type chat, markdownToHtml, path, post } from "../../provider-kit/index.ts";
import { messagesOf } from "./records.ts";

export const writes: CategoryImplementation<typeof chat.operations> = {
  // https://learn.microsoft.com/en-us/graph/api/channel-post-messages
  sendMessage: {
    request: ({ input: { channel_id, thread_id, text } }) =>
      post(messagesOf(channel_id) + (thread_id ? path`/${thread_id}/replies` : ""), {
        body: { contentType: "html", content: markdownToHtml(text) },
      }),
  },
};
