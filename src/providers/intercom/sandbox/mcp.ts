import type { EmulatedTool } from "../../../contracts/emulator.ts";
import { path } from "../../../provider-kit/request.ts";

const oneById = (list: string, description: string): EmulatedTool => ({
  description,
  input: { id: { type: "string" } },
  request: ({ id }) => ({ path: path`/${list}/${id}` }),
});

/** A search for the value of one field, or for everything. */
const searchFor = (field: string, value: string | undefined) =>
  value === undefined
    ? { field: "created_at", operator: ">", value: 0 }
    : { field, operator: field === "email" ? "~" : "=", value };

// Tool names as on Intercom's MCP server: https://developers.intercom.com/docs/guides/mcp
export const mcp: Record<string, EmulatedTool> = {
  search_contacts: {
    description: "Search contacts by email address",
    input: {},
    optional: { email: { type: "string" }, per_page: { type: "number" }, starting_after: { type: "string" } },
    request: ({ email, per_page = 50, starting_after }) => ({
      method: "POST",
      path: "/contacts/search",
      body: { query: searchFor("email", email), pagination: { per_page, starting_after } },
    }),
  },
  get_contact: oneById("contacts", "Get a contact by its ID"),
  search_conversations: {
    description: "Search conversations by their state",
    input: {},
    optional: { state: { type: "string" }, per_page: { type: "number" }, starting_after: { type: "string" } },
    request: ({ state, per_page = 20, starting_after }) => ({
      method: "POST",
      path: "/conversations/search",
      body: { query: searchFor("state", state), pagination: { per_page, starting_after } },
    }),
  },
  get_conversation: oneById("conversations", "Get a conversation by its ID"),
};
