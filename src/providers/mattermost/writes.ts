import { type CategoryImplementation, type chat, post } from "../../provider-kit/index.ts";

export const writes: CategoryImplementation<typeof chat.operations> = {
  sendMessage: {
    request: ({ input }) =>
      post("/posts", { channel_id: input.channel_id, message: input.text, root_id: input.thread_id }),
  },
};
