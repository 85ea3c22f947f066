import { type ApplicationHooks, get, type HookedList, type HookRequest } from "../../provider-kit/index.ts";
import type { HubSpotAccount } from "./identity.ts";

interface HubSpotEvent {
  /** Such as `contact.creation`, or `object.creation` together with the type. */
  subscriptionType?: string;
  objectTypeId?: string;
  portalId?: number;
}

/** https://developers.hubspot.com/docs/guides/crm/understanding-the-crm */
const OBJECT_TYPES: Record<string, string> = { "0-1": "contact", "0-2": "company", "0-3": "deal" };

/** A request has up to 100 events. */
const eventsIn = ({ body }: HookRequest): HubSpotEvent[] => (Array.isArray(body) ? body : []);

const changesOf = (object: string): HookedList => ({
  events: [object],
  deletes: [`${object}.deletion`, `${object}.merge`, `${object}.privacyDeletion`],
});

/** There is no event for every change: those of each property have to be chosen. */
const SUBSCRIPTIONS =
  "of contacts, companies and deals: created, deleted, merged, restored, and changes of the properties `firstname`, `lastname`, `email`, `phone` and `associatedcompanyid` (contacts), `name`, `website`, `domain` and `phone` (companies), `dealname`, `amount`, `deal_currency_code`, `dealstage` and `closedate` (deals), and of your custom fields";

/** https://developers.hubspot.com/docs/api-reference/2026-03/webhooks/guide */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "client_secret",
  steps: [
    "Add a [webhooks component](https://developers.hubspot.com/docs/apps/developer-platform/add-features/configure-webhooks) to the project of the app, with the address as `targetUrl`.",
    `Add subscriptions ${SUBSCRIPTIONS}.`,
    "Upload the project: `hs project upload`. Requests are signed with the client secret of the app.",
  ],
  // https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests
  signature: {
    kind: "hmac",
    headers: ["x-hubspot-signature-v3"],
    algorithm: "sha256",
    encoding: "base64",
    signed: "{method}{url}{body}{timestamp}",
    timestamp: { in: { header: "x-hubspot-request-timestamp" }, unit: "milliseconds", windowSeconds: 300 },
  },
  events: (request) =>
    eventsIn(request).map(({ subscriptionType = "", objectTypeId = "" }) =>
      subscriptionType.replace(/^object(?=\.)/, OBJECT_TYPES[objectTypeId] ?? "object"),
    ),
  lists: {
    "crm.listContacts": changesOf("contact"),
    "crm.listCompanies": changesOf("company"),
    "crm.listDeals": changesOf("deal"),
  },
  account: async ({ upstream }) =>
    String((await upstream<HubSpotAccount>(get("/account-info/v3/details"))).body.portalId),
  accounts: (request) => [...new Set(eventsIn(request).map(({ portalId }) => String(portalId)))],
};

/** A private app belongs to one account, and its webhooks are set there. */
export const hooksOfPrivateApp: ApplicationHooks = {
  ...hooks,
  secret: "hook_secret",
  steps: [
    "In HubSpot, open the private app and its tab **Webhooks**, and enter the address as target URL.",
    `Create subscriptions ${SUBSCRIPTIONS}.`,
    "Enter the client secret of the private app, from its tab **Auth**, as the signing secret of the integration (`hook_secret`); with several private apps, the secrets of all of them, separated by spaces.",
  ],
};
