import type { chat } from "../../categories/chat.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import { post } from "../../provider-kit/request.ts";

export const writes: CategoryImplementation<typeof chat.operations> = {
  sendMessage: {
    request: ({ input }) =>
      post("/posts", { channel_id: input.channel_id, message: input.text, root_id: input.thread_id }),
  },
};
