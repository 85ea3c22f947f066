import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [],
  others: [
    { source: "`@modelcontextprotocol/sdk`", what: "a server and a client of the official SDK" },
    { source: "`oidc-provider`", what: "as the authorization server" },
  ],
} satisfies Evidence;
