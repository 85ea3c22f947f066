import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const page = { limit: { type: "number" }, after: { type: "string" } };
const lister = (objects: string, description: string): EmulatedTool => ({
  description,
  input: {},
  optional: page,
  request: ({ limit, after }) => ({ path: `/crm/v3/objects/${objects}`, query: { limit, after } }),
});

// What the tools do is that of HubSpot's own server; their names are not verified.
// https://developers.hubspot.com/mcp
export const mcp: Record<string, EmulatedTool> = {
  list_contacts: lister("contacts", "List contacts"),
  list_companies: lister("companies", "List companies"),
  list_deals: lister("deals", "List deals"),
  get_contact: {
    description: "Get a contact",
    input: { contactId: { type: "string" } },
    request: ({ contactId }) => ({ path: path`/crm/v3/objects/contacts/${contactId}` }),
  },
};
