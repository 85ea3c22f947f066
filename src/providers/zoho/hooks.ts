import { randomInt } from "node:crypto";
import { type ConnectionHooks, type HookedList, post, remove } from "../../provider-kit/index.ts";

const MODULES = ["Contacts", "Accounts", "Deals"];
const MAX_TOKEN_LENGTH = 50;
/** Less than a day, which is the maximum of older versions. */
const LIFETIME_MS = 23 * 3_600_000;

const recordsOf = (module: string): HookedList => ({ events: [module], deletes: [`${module}.delete`] });

interface MadeChannel {
  watch: [{ details: { events: [{ channel_expiry: string }, ...object[]] } }];
}

/** https://www.zoho.com/crm/developer/docs/api/v8/notifications/overview.html */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its token has to have the scope ZohoCRM.notifications.ALL: connect it again.",
  secret: "hook",
  // Requests are not signed: they have the token that the channel was made with.
  signature: { kind: "token", in: { pointer: "/token" } },
  events: ({ body }) => [`${body?.module}.${body?.operation}`],
  lists: {
    "crm.listContacts": recordsOf("Contacts"),
    "crm.listCompanies": recordsOf("Accounts"),
    "crm.listDeals": recordsOf("Deals"),
  },
  // https://www.zoho.com/crm/developer/docs/api/v8/notifications/enable.html
  async create({ upstream, url, secret }) {
    const token = secret.slice(0, MAX_TOKEN_LENGTH);
    const channel = {
      channel_id: String(randomInt(1e12, 2 ** 47)),
      channel_expiry: new Date(Date.now() + LIFETIME_MS).toISOString().replace(/\.\d+Z$/, "+00:00"),
      events: MODULES.map((module) => `${module}.all`),
      notify_url: url,
      token,
    };
    const { body } = await upstream<MadeChannel>(post("/actions/watch", { watch: [channel] }));
    const [{ channel_expiry }] = body.watch[0].details.events;
    return { remote: { id: channel.channel_id }, secret: token, expires_at: new Date(channel_expiry).toISOString() };
  },
  // https://www.zoho.com/crm/developer/docs/api/v8/notifications/disable.html
  remove: ({ upstream }, { id }) => upstream(remove("/actions/watch", { channel_ids: id })),
};
