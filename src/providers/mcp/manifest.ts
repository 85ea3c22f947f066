import type { Manifest } from "../../provider-kit/index.ts";

// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
export default {
  id: "mcp",
  name: "MCP server",
  docs: "https://modelcontextprotocol.io/specification/2025-11-25",
  notes: [
    "Any MCP server by its address: [what happens when somebody connects](../mcp.md#any-mcp-server).",
    "`mcp_url` is the server's address, exactly as its provider gives it: a slash at the end may matter. It must be https, unless `ALLOW_PRIVATE_UPSTREAMS` is on.",
    "With `oauth2`, `client_id` and `client_secret` are optional: most servers accept Plugboard without one.",
    "There are no unified operations: the tools are those of the server, at `/mcp`.",
  ],
  subjects: ["mcp"],
  mcpOnly: true,
  // Of the emulator. A real server's are its integration's `mcp_url` and what the server says about itself.
  addresses: {
    api: "https://mcp.invalid",
    mcp: "https://mcp.invalid/mcp",
    authorize: "https://mcp.invalid/authorize",
    token: "https://mcp.invalid/token",
    revoke: "https://mcp.invalid/revoke",
  },
  auth: {
    oauth2: {
      discovered: true,
      authorize: "authorize",
      token: "token",
      scopes: [],
      lifetime: 3_600,
      rotates: true,
      revoke: { address: "revoke" },
    },
    api_key: { label: "Access token or key", help: "https://modelcontextprotocol.io/docs/getting-started/intro" },
    none: {},
  },
  authorization: ({ token }): { headers?: Record<string, string> } =>
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
} satisfies Manifest;
