import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "trello",
  name: "Trello",
  docs: "https://developer.atlassian.com/cloud/trello/rest/",
  notes: [
    "Cards of all open boards are read, board by board. Projects are the open boards.",
    "The status of a card is its list, or `archived`. It is `done` if it is archived, marked as complete, or in a list named Done; of the other lists only those named To Do and Doing have a known meaning, and any other counts as `todo`.",
    "A new card is in the list named by `status`, or in the board's first one. With the status `archived` an existing card is archived.",
    "Trello's search has no custom fields: with `query`, they are null.",
    "When a card was completed is not part of Trello's answers, so `completed_at` is null.",
    "Instant events cover the cards of one board (`project_id`) and the comments of a card. Trello signs webhooks with the secret of the app's API key (the tab **API key** of the app): enter it as the integration's `hook_secret`. With `basic`, it has to be that of the API key which users connect with.",
    "The older OAuth 1.0a is not supported. A user can create a token by hand and connect with `basic`.",
    "Trello's MCP server accepts only tokens from its own sign-in: connect it as [any MCP server](../mcp.md#any-mcp-server), at `https://mcp.trello.com/v1`.",
  ],
  addresses: {
    api: "https://api.trello.com/1",
    authorize: "https://auth.atlassian.com/authorize",
    token: "https://auth.atlassian.com/oauth/token",
    // No `mcp`: https://github.com/atlassian/trello-mcp-server
  },
  auth: {
    // The older OAuth 1.0a and the token in a fragment of /1/authorize are not supported: a user can create such a token
    // by hand, for `basic`. https://developer.atlassian.com/cloud/trello/guides/rest-api/oauth-2-confidential-client-usage/
    oauth2: {
      app: {
        url: "https://trello.com/power-ups/admin",
        steps: [
          "Create an app and open its **OAuth 2.0** tab.",
          "Choose the security type **Confidential**, add the redirect URL, and choose the scopes below.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["read:member:trello", "read:board:trello", "write:board:trello", "offline_access"],
      authorizeParameters: { prompt: "consent" },
      tokenRequestBody: "json",
      lifetime: 3600,
      rotates: true,
      // As this token endpoint does for other Atlassian products: a wrong client secret is "access_denied", which does
      // not invalidate a connection. There is no endpoint to revoke a token.
      voidGrantCodes: ["invalid_grant", "unauthorized_client"],
    },
    basic: { username: "API key", password: "API token", help: "https://trello.com/power-ups/admin" },
  },
  // https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/#passing-token-and-key-in-api-requests
  authorization: ({ token = "", username = "", password = "" }, auth) =>
    auth === "basic"
      ? { query: { key: username, token: password } }
      : { headers: { authorization: `Bearer ${token}` } },
  // Attachments: https://developer.atlassian.com/cloud/trello/guides/rest-api/authorization/#authorizing-attachment-downloads
  linkedAs: { api: ["https://trello.com/1"] },
  hooks,
  check: get("/members/me", { fields: "id" }),
} satisfies Manifest;
