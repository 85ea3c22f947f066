import type { EmulatedTool } from "../../../emulator-kit/index.ts";

const optional = { limit: { type: "number" }, cursor: { type: "string" } };

// Tool names as on Slack's MCP server: https://docs.slack.dev/ai/slack-mcp-server
export const mcp: Record<string, EmulatedTool> = {
  slack_search_channels: {
    description: "List channels of the workspace",
    input: {},
    optional,
    request: ({ limit = 20, cursor }) => ({ path: "/api/conversations.list", query: { limit, cursor } }),
  },
  slack_read_channel: {
    description: "Read messages of a channel, newest first",
    input: { channel_id: { type: "string" } },
    optional,
    request: ({ channel_id: channel, limit = 20, cursor }) => ({
      path: "/api/conversations.history",
      query: { channel, limit, cursor },
    }),
  },
};
