import { type CategoryImplementation, type chat, post } from "../../provider-kit/index.ts";
import { MARKDOWN, messagesOf } from "./records.ts";

const MENTION_OF_EVERYONE = /<(?=users\/all>)/g;
const ZERO_WIDTH_SPACE = "\u200b";

export const writes: CategoryImplementation<typeof chat.operations> = {
  // A text may mention users, but not everyone. https://developers.google.com/workspace/chat/format-messages
  sendMessage: {
    request: ({ input: { channel_id, thread_id, text } }) =>
      post(
        messagesOf(channel_id),
        {
          text: text.replace(MENTION_OF_EVERYONE, `<${ZERO_WIDTH_SPACE}`),
          markupSyntax: MARKDOWN,
          // A message's id begins with that of its thread.
          thread: thread_id && {
            name: `spaces/${channel_id.replace(/^spaces\//, "")}/threads/${thread_id.split(".")[0]}`,
          },
        },
        {},
        thread_id ? { query: { messageReplyOption: "REPLY_MESSAGE_OR_FAIL" } } : {},
      ),
  },
};
