import { type ConnectionHooks, get, type HookedList, path, post, remove } from "../../provider-kit/index.ts";

const EVENTS = ["record.created", "record.updated", "record.merged", "record.deleted"];

const recordsOf = (object: string): HookedList => ({
  deletes: ["record.merged", "record.deleted"],
  target: () => object,
});

interface MadeWebhook {
  data: { id: { webhook_id: string }; secret: string };
}

/** https://docs.attio.com/rest-api/guides/webhooks */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its token has to have the scopes webhook:read-write and object_configuration:read.",
  secret: "hook",
  signature: { kind: "hmac", headers: ["attio-signature"], algorithm: "sha256", encoding: "hex" },
  events({ body }) {
    const events: { event_type?: unknown }[] = Array.isArray(body?.events) ? body.events : [];
    return events.map(({ event_type }) => String(event_type));
  },
  lists: {
    "crm.listContacts": recordsOf("people"),
    "crm.listCompanies": recordsOf("companies"),
    "crm.listDeals": recordsOf("deals"),
  },
  async create({ upstream, target, url }) {
    // An event does not name its object, it has only the ID.
    const { body: object } = await upstream<{ data: { id: { object_id: string } } }>(get(path`/objects/${target}`));
    const filter = { $and: [{ field: "id.object_id", operator: "equals", value: object.data.id.object_id }] };
    const subscriptions = EVENTS.map((event_type) => ({ event_type, filter }));
    const { body } = await upstream<MadeWebhook>(post("/webhooks", { data: { target_url: url, subscriptions } }));
    return { remote: { id: body.data.id.webhook_id }, secret: body.data.secret };
  },
  remove: ({ upstream }, { id = "" }) => upstream(remove(path`/webhooks/${id}`)),
};
