import { type CategoryImplementation, type chat, markdownToMrkdwn, post } from "../../provider-kit/index.ts";

export const writes: CategoryImplementation<typeof chat.operations> = {
  sendMessage: {
    request: ({ input }) =>
      post("/chat.postMessage", {
        channel: input.channel_id,
        text: markdownToMrkdwn(input.text),
        thread_ts: input.thread_id,
      }),
  },
};
