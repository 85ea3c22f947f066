import { type CategoryImplementation, type chat, get, path, post, type Upstream } from "../../provider-kit/index.ts";

/** A thread belongs to its first post: the server refuses a reply to any other. */
async function rootOf(id: string, upstream: Upstream): Promise<string> {
  const { body } = await upstream<{ root_id: string }>(get(path`/posts/${id}`));
  return body.root_id || id;
}

export const writes: CategoryImplementation<typeof chat.operations> = {
  sendMessage: {
    async request({ input: { channel_id, text, thread_id }, upstream }) {
      const root_id = thread_id && (await rootOf(thread_id, upstream));
      return post("/posts", { channel_id, message: text, root_id });
    },
  },
};
