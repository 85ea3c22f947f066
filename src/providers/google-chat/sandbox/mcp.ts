import type { EmulatedTool } from "../../../emulator-kit/index.ts";

// What the tools do is that of Google's own server; their names are not verified.
// https://developers.google.com/workspace/chat
export const mcp: Record<string, EmulatedTool> = {
  list_spaces: {
    description: "List the spaces that the user is in",
    input: {},
    optional: { pageSize: { type: "number" }, pageToken: { type: "string" } },
    request: ({ pageSize, pageToken }) => ({ path: "/v1/spaces", query: { pageSize, pageToken } }),
  },
  list_messages: {
    description: "List the messages of a space",
    input: { space: { type: "string", description: "spaces/…" } },
    optional: { pageSize: { type: "number" } },
    request: ({ space, pageSize }) => ({ path: `/v1/${space}/messages`, query: { pageSize } }),
  },
  create_message: {
    description: "Send a message to a space",
    input: { space: { type: "string", description: "spaces/…" }, text: { type: "string" } },
    request: ({ space, text }) => ({ method: "POST", path: `/v1/${space}/messages`, body: { text } }),
  },
};
