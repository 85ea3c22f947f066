import { type ConnectionHooks, get, type HookedList, path, post, remove } from "../../provider-kit/index.ts";

const PREFIX = "zen:event-type:";

/** There is no event for every change: these are of what lists show. */
const EVENTS = {
  // https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/
  ticket: [
    ...["created", "merged", "undeleted", "soft_deleted", "permanently_deleted", "marked_as_spam"],
    ...["subject_changed", "description_changed", "status_changed", "custom_status_changed", "priority_changed"],
    ...["type_changed", "tags_changed", "requester_changed", "agent_assignment_changed", "custom_field_changed"],
    ...["comment_added", "comment_made_private", "comment_redacted"],
  ],
  // https://developer.zendesk.com/api-reference/webhooks/event-types/user-events/
  user: [
    ...["created", "deleted", "merged", "active_changed", "role_changed", "name_changed", "custom_field_changed"],
    ...["identity_created", "identity_changed", "identity_deleted"],
  ],
};

const tickets: HookedList = {
  events: ["ticket"],
  deletes: ["ticket.soft_deleted", "ticket.permanently_deleted", "ticket.marked_as_spam"],
};

/** https://developer.zendesk.com/api-reference/webhooks/webhooks-api/webhooks/ */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an administrator and, with OAuth, to have the scopes webhooks:read and webhooks:write.",
  secret: "hook",
  // https://developer.zendesk.com/documentation/webhooks/verifying/
  signature: {
    kind: "hmac",
    headers: ["x-zendesk-webhook-signature"],
    algorithm: "sha256",
    encoding: "base64",
    signed: "{timestamp}{body}",
    timestamp: { in: { header: "x-zendesk-webhook-signature-timestamp" }, unit: "iso", windowSeconds: 300 },
  },
  events: ({ body }) => [String(body?.type).replace(PREFIX, "")],
  lists: {
    "helpdesk.listTickets": tickets,
    "ticketing.listTickets": tickets,
    "helpdesk.listComments": {
      events: ["ticket.comment_added", "ticket.comment_made_private", "ticket.comment_redacted"],
    },
    "helpdesk.listCustomers": {
      events: ["user"],
      deletes: ["user.deleted", "user.merged", "user.active_changed", "user.role_changed"],
    },
  },
  async create({ upstream, url }) {
    const subscriptions = Object.entries(EVENTS).flatMap(([object, events]) =>
      events.map((event) => `${PREFIX}${object}.${event}`),
    );
    const webhook = { name: "Plugboard", endpoint: url, http_method: "POST", request_format: "json", status: "active" };
    const { body } = await upstream<{ webhook: { id: string } }>(
      post("/webhooks", { webhook: { ...webhook, subscriptions } }),
    );
    const own = path`/webhooks/${body.webhook.id}`;
    const secret = await upstream<{ signing_secret: { secret: string } }>(get(`${own}/signing_secret`)).catch(
      async (cause) => {
        // One that cannot be verified must not stay.
        await upstream(remove(own)).catch(() => undefined);
        throw cause;
      },
    );
    return { remote: { id: body.webhook.id }, secret: secret.body.signing_secret.secret };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/webhooks/${id}`)),
};
