import type { EmulatedTool } from "../../contracts/emulator.ts";
import { path } from "../../provider-kit/request.ts";

// What the tools do is that of Trello's own server; their names are not verified.
// https://developer.atlassian.com/cloud/trello
export const mcp: Record<string, EmulatedTool> = {
  get_me: { description: "Get the authenticated member", input: {}, request: () => ({ path: "/1/members/me" }) },
  list_boards: {
    description: "List the member's boards",
    input: {},
    request: () => ({ path: "/1/members/me/boards" }),
  },
  list_cards: {
    description: "List the cards of a board",
    input: { board_id: { type: "string" } },
    optional: { limit: { type: "number" } },
    request: ({ board_id, limit = 20 }) => ({ path: path`/1/boards/${board_id}/cards`, query: { limit } }),
  },
  get_card: {
    description: "Get a card",
    input: { card_id: { type: "string" } },
    request: ({ card_id }) => ({ path: path`/1/cards/${card_id}` }),
  },
};
