import type { EmulatedTool } from "../../../contracts/emulator.ts";

// Tool names as on Slack's MCP server: https://docs.slack.dev/ai/slack-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  slack_search_channels: {
    description: "List channels of the workspace",
    input: {},
    optional: { limit: { type: "number" }, cursor: { type: "string" } },
    request: ({ limit = 20, cursor }) => ({ path: "/api/conversations.list", query: { limit, cursor } }),
  },
  slack_read_channel: {
    description: "Read messages of a channel, newest first",
    input: { channel_id: { type: "string" } },
    optional: { limit: { type: "number" }, cursor: { type: "string" } },
    request: ({ channel_id, limit = 20, cursor }) => ({
      path: "/api/conversations.history",
      query: { channel: channel_id, limit, cursor },
    }),
  },
  slack_send_message: {
    description: "Send a message to a channel",
    input: { channel_id: { type: "string" }, message: { type: "string" } },
    request: ({ channel_id, message }) => ({
      method: "POST",
      path: "/api/chat.postMessage",
      body: { channel: channel_id, text: message },
    }),
  },
};
