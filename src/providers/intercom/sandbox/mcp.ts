import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const oneById = (list: string, description: string): EmulatedTool => ({
  description,
  input: { id: { type: "string" } },
  request: ({ id }) => ({ path: path`/${list}/${id}` }),
});

/** A search for the value of one field, or for everything. */
const searchBy = (field: string, operator: string, list: string, description: string): EmulatedTool => ({
  description,
  input: {},
  optional: { [field]: { type: "string" }, per_page: { type: "number" }, starting_after: { type: "string" } },
  request: ({ [field]: value, per_page, starting_after }) => ({
    method: "POST",
    path: `/${list}/search`,
    body: {
      query: value === undefined ? { field: "created_at", operator: ">", value: 0 } : { field, operator, value },
      pagination: { per_page, starting_after },
    },
  }),
});

// Tool names as on Intercom's MCP server: https://developers.intercom.com/docs/guides/mcp
export const mcp: Record<string, EmulatedTool> = {
  search_contacts: searchBy("email", "~", "contacts", "Search contacts by email address"),
  get_contact: oneById("contacts", "Get a contact by its ID"),
  search_conversations: searchBy("state", "=", "conversations", "Search conversations by their state"),
  get_conversation: oneById("conversations", "Get a conversation by its ID"),
};
