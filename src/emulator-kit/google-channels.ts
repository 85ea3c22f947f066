// The notification channels of emulated Google APIs: https://developers.google.com/workspace/drive/api/guides/push
import type {
  EmulatedHook,
  EmulatedHooks,
  EmulatedReply,
  EmulatedRequest,
  EmulatedRoute,
} from "../contracts/emulator.ts";
import { seeded } from "./data.ts";
import { reply } from "./emulator.ts";
import { googleFailureWithReason } from "./google.ts";
import { hookRegistry, type RegisteredHook } from "./hooks.ts";

const HOUR_MS = 3_600_000;
const MAX_LIFETIME_MS = 7 * 24 * HOUR_MS;

interface Channel {
  resourceId: string;
  resourceUri: string;
  /** The messages so far. */
  sent: number;
}

const invalid = (reason: string, message: string) => googleFailureWithReason(400, { reason, message });

/** The channels of an API whose messages name this state when something changes. */
export function googleChannels(changedState: string) {
  const registry = hookRegistry<Channel>();

  const headersOf = (channel: RegisteredHook<Channel>, state: string) => ({
    "x-goog-channel-id": channel.id,
    "x-goog-channel-expiration": channel.expires!.toUTCString(),
    "x-goog-resource-id": channel.resourceId,
    "x-goog-resource-uri": channel.resourceUri,
    "x-goog-resource-state": state,
    "x-goog-message-number": String(++channel.sent),
    "user-agent": "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)",
  });

  const hooks: EmulatedHooks<object> = {
    registered: registry.registered,
    request: (_, __, hook) => ({ headers: headersOf(hook as RegisteredHook<Channel>, changedState) }),
  };

  return {
    hooks,
    /** The reply of a `watch` method, for a resource that is a path with its query. */
    watch(request: EmulatedRequest, state: object, resource: string, covers: EmulatedHook["covers"]): EmulatedReply {
      const { id, type, address, token = "", expiration } = request.body ?? {};
      if (typeof id !== "string" || !/^[\w+/=-]{1,64}$/.test(id)) return invalid("required", "channel id");
      if (type !== "web_hook") return invalid("channelUnknown", "Unknown channel type");
      if (typeof address !== "string") return invalid("required", "Required parameter: address");
      if (registry.find(state, id)) return invalid("channelIdNotUnique", `Channel id ${id} not unique`);
      const now = Date.now();
      const wanted = Number(expiration ?? now + HOUR_MS);
      const channel = registry.add(state, {
        id,
        url: address,
        secret: token,
        expires: new Date(Math.min(wanted, now + MAX_LIFETIME_MS)),
        resourceId: seeded(resource.length).text(27, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
        resourceUri: `https://www.googleapis.com${resource}`,
        sent: 0,
        covers,
      });
      const { resourceId, resourceUri, expires } = channel;
      const made = { kind: "api#channel", id, resourceId, resourceUri, token, expiration: String(Number(expires)) };
      // Nobody has to answer the first message.
      const handshake = {
        url: address,
        headers: { ...headersOf(channel, "sync"), "x-goog-channel-token": token },
        accepts: () => true,
        otherwise: () => reply(200, made),
      };
      return { ...reply(200, made), handshake };
    },
    stop: (({ body }, state) => {
      const found = registry.find(state, String(body?.id));
      if (!found || found.resourceId !== body.resourceId)
        return googleFailureWithReason(404, { message: `Channel '${body?.id}' not found for project` });
      registry.remove(state, found.id);
      return reply(204);
    }) satisfies EmulatedRoute<object>,
  };
}
