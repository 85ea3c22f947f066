// The notification channels of Google's older APIs: https://developers.google.com/workspace/drive/api/guides/push
import type { ConnectionHooks, MadeHook, NewHook } from "../contracts/hooks.ts";
import type { Query } from "../contracts/upstream.ts";
import { post } from "./request.ts";
import { isoTime } from "./time.ts";

/** As long as a channel for the changes of a drive may live. A new one has to follow it. */
const LIFETIME_MS = 7 * 86_400_000;

interface Channel {
  id: string;
  resourceId: string;
  /** In milliseconds, as text. */
  expiration?: string;
}

/** Everything but `lists` and `create`. A message has no body: its headers say that something has changed. */
export const googleChannels = {
  per: "connection",
  secret: "hook",
  signature: { kind: "token", in: { header: "x-goog-channel-token" } },
  // The first message only says that the channel exists.
  events({ headers: { "x-goog-resource-state": state = "" } }) {
    return state === "sync" ? [] : [state];
  },
  remove: ({ upstream }, { id, resource_id }) => upstream(post("/channels/stop", { id, resourceId: resource_id })),
} satisfies Partial<ConnectionHooks>;

/** Watches what the `watch` method at a path is for. */
export async function watchGoogle(
  { upstream, url, secret }: Pick<NewHook, "upstream" | "url" | "secret">,
  path: string,
  query: Query = {},
): Promise<MadeHook> {
  const expiration = String(Date.now() + LIFETIME_MS);
  const channel = { id: crypto.randomUUID(), type: "web_hook", address: url, token: secret, expiration };
  const { body } = await upstream<Channel>(post(path, channel, {}, { query }));
  return {
    remote: { id: body.id, resource_id: body.resourceId },
    expires_at: isoTime(Number(body.expiration ?? expiration)),
  };
}
