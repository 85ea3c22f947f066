import type { chat } from "../../categories/chat.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import { post } from "../../provider-kit/request.ts";
import { markdownToMrkdwn } from "../../provider-kit/text/to-mrkdwn.ts";

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
