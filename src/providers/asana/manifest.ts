import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "asana",
  name: "Asana",
  docs: "https://developers.asana.com/reference/rest-api-reference",
  notes: [
    "Tasks can only be listed by project. So every project is read in turn, then the user's own tasks that are in no project. Of more than 1,000 projects, the first 1,000 are read; tasks of another one are listed with `project_id`.",
    "A task is either completed or not: no task is `in_progress`. Priorities are custom fields and are neither read nor written.",
    "A change of a task's labels, parent or project takes a call each: if one is refused, those before it are already carried out.",
    "The `project_id` of a task in several projects is the first one. Writing another one moves the task out of the first; if the task is in the given project already, it stays in all of them.",
    "Custom fields are described with the scope `custom_fields:read`, which connections from before they were supported lack until they are connected again.",
    "Instant events need the scopes `webhooks:write` and `webhooks:delete` (choose them for the app, and add them to the integration's `scopes`). They cover the tasks of one project (`project_id`) and the comments of a task.",
    "Asana's MCP server accepts only tokens of an app that was registered as an MCP app, which the API does not accept: connect it as [any MCP server](../mcp.md#any-mcp-server), at `https://mcp.asana.com/v2/mcp`, with the client ID and the secret of such an app.",
  ],
  addresses: {
    api: "https://app.asana.com/api/1.0",
    authorize: "https://app.asana.com/-/oauth_authorize",
    token: "https://app.asana.com/-/oauth_token",
    revoke: "https://app.asana.com/-/oauth_revoke",
    // Accepts only tokens of an "MCP app". https://developers.asana.com/docs/integrating-with-asanas-mcp-server
    mcp: "https://mcp.asana.com/v2/mcp",
  },
  auth: {
    // https://developers.asana.com/docs/oauth
    oauth2: {
      app: {
        url: "https://app.asana.com/0/my-apps",
        steps: [
          "Select **Create new app** and open **OAuth**.",
          "Add the redirect URL under **Redirect URLs**, and copy the client ID and the client secret.",
          "Choose the scopes below. An app with full permissions has the single scope `default` instead: set it on the integration.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // An app registered with full permissions has the single scope "default" instead.
      // https://developers.asana.com/docs/oauth-scopes
      scopes: [
        "workspaces:read",
        "projects:read",
        "tasks:read",
        "tasks:write",
        "stories:read",
        "stories:write",
        "tags:read",
        "users:read",
        "custom_fields:read",
      ],
      lifetime: 3600,
      revoke: { address: "revoke" },
    },
    api_key: { label: "Personal access token", help: "https://app.asana.com/0/my-apps" },
  },
  hooks,
  check: get("/users/me"),
} satisfies Manifest;
