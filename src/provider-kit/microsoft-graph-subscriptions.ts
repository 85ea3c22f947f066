// Change notifications of Microsoft Graph: https://learn.microsoft.com/en-us/graph/change-notifications-overview
import type { ConnectionHooks } from "../contracts/hooks.ts";
import { patch, path, post, remove } from "./request.ts";
import { isoTime } from "./time.ts";

interface GraphSubscription {
  id: string;
  expirationDateTime: string;
}

interface Watched {
  /** What is watched: https://learn.microsoft.com/en-us/graph/api/subscription-post-subscriptions */
  resource(target: string): string;
  changeType: string;
  lifetimeMinutes: number;
}

/** Everything but `lists`. */
export function graphSubscriptions({ resource, changeType, lifetimeMinutes }: Watched) {
  const expirationDateTime = () => new Date(Date.now() + lifetimeMinutes * 60_000).toISOString();
  return {
    per: "connection",
    secret: "hook",
    // https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
    handshake: { in: "query", name: "validationToken", answer: "text" },
    signature: { kind: "token", in: { pointer: "/value/*/clientState" } },
    events: ({ body }) => body.value.map((one: { changeType?: string }) => one.changeType ?? ""),
    async create({ upstream, target, url, secret }) {
      const { body } = await upstream<GraphSubscription>(
        post("/subscriptions", {
          changeType,
          resource: resource(target),
          notificationUrl: url,
          clientState: secret,
          expirationDateTime: expirationDateTime(),
        }),
      );
      return { remote: { id: body.id }, expires_at: isoTime(body.expirationDateTime) };
    },
    // It is also authorized with the current token: https://learn.microsoft.com/en-us/graph/change-notifications-lifecycle-events
    async renew({ upstream }, { id = "" }) {
      const { body } = await upstream<GraphSubscription>(
        patch(path`/subscriptions/${id}`, { expirationDateTime: expirationDateTime() }),
      );
      return { expires_at: isoTime(body.expirationDateTime) };
    },
    remove: ({ upstream }, { id = "" }) => upstream(remove(path`/subscriptions/${id}`)),
  } satisfies Partial<ConnectionHooks>;
}
