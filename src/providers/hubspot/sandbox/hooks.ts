import type { ChangeKind, EmulatedHooks } from "../../../emulator-kit/index.ts";
import { PORTAL, type State } from "./data.ts";

const OBJECTS: Record<string, string> = {
  "crm.listContacts": "contact",
  "crm.listCompanies": "company",
  "crm.listDeals": "deal",
};
const EVENTS: Record<ChangeKind, string> = { create: "creation", update: "propertyChange", delete: "deletion" };

/** https://developers.hubspot.com/docs/api-reference/2026-03/webhooks/guide */
export const hooks: EmulatedHooks<State> = {
  request({ list, kind, id, now }) {
    const object = OBJECTS[list];
    if (!object) return undefined;
    const event = {
      eventId: now.getTime(),
      subscriptionId: 138,
      portalId: PORTAL,
      appId: 1_160_452,
      occurredAt: now.getTime(),
      subscriptionType: `${object}.${EVENTS[kind]}`,
      attemptNumber: 0,
      objectId: Number(id),
      changeSource: "CRM_UI",
      ...(kind === "update" && { propertyName: "note", propertyValue: "changed" }),
    };
    return { body: [event] };
  },
};
