import { get, type Manifest, post } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "notion",
  name: "Notion",
  docs: "https://developers.notion.com/reference/intro",
  notes: [
    "There are no scopes: the app has capabilities, and the user chooses the pages that it can see. What is in a page that was not chosen does not exist for it.",
    "Projects are the data sources that have a status: a property of the type status, a select named Status, or a checkbox. Their pages are the tasks.",
    "Status, assignee, due date, priority, labels, parent and description are properties of a data source, which a workspace names as it likes. A property with a usual name is preferred, such as Due or Tags; otherwise the first of the right type counts. Priority and parent are only found by name.",
    "A description is a text property. The content of a page is not read; through the Proxy, `GET /pages/{id}/markdown` returns it.",
    "A new task needs a `project_id`, and stays in that data source. A field that the data source has no property for cannot be set.",
    "A search (`query`) is for words in titles.",
    "Only comments that are not resolved are listed.",
    "Times are exact to the minute.",
    "Notion's MCP server accepts only tokens from its own sign-in: connect it as [any MCP server](../mcp.md#any-mcp-server), at `https://mcp.notion.com/mcp`.",
    "Instant events take up to a minute: Notion joins several changes of a page to one event.",
  ],
  addresses: {
    api: "https://api.notion.com/v1",
    authorize: "https://api.notion.com/v1/oauth/authorize",
    token: "https://api.notion.com/v1/oauth/token",
    // No `mcp`: https://developers.notion.com/docs/get-started-with-mcp
  },
  auth: {
    // Tokens have no documented lifetime, but come with a refresh token. https://developers.notion.com/docs/authorization
    oauth2: {
      app: {
        url: "https://www.notion.so/profile/integrations",
        steps: [
          "Select **New integration** and the type **Public**.",
          "Turn on the capabilities **Read content**, **Update content**, **Insert content**, **Read comments**, **Insert comments** and **Read user information including email addresses**.",
          "Add the redirect URL under **Redirect URIs**, and copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [],
      authorizeParameters: { owner: "user" },
      tokenRequestAuth: "basic",
      tokenRequestBody: "json",
      // PKCE is not part of the documented flow.
      pkce: false,
      // https://developers.notion.com/reference/refresh-a-token
      rotates: true,
      // https://developers.notion.com/reference/revoke-token
      revoke: ({ credentials }) => ({ ...post("/oauth/revoke", { token: credentials.token }), as: "client" }),
    },
    api_key: {
      label: "Internal integration secret",
      help: "https://www.notion.so/profile/integrations",
      steps: [
        "Give the integration access to the pages that it is to see, with **Connections** in the menu of each page.",
      ],
    },
  },
  // Required: https://developers.notion.com/reference/versioning
  headers: { "notion-version": "2026-03-11" },
  check: get("/users/me"),
  hooks,
} satisfies Manifest;
