import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "shortcut",
  name: "Shortcut",
  docs: "https://developer.shortcut.com/api/rest/v3",
  notes: [
    "A token can do what its user can do; a read-only token is enough for reading.",
    "A new story is in the default workflow of its team, or of the workspace. A status is the name of one of the workflow's states, and labels that do not exist are made.",
    "Projects are Shortcut's teams. Its older projects, which new workspaces no longer have, are not read.",
    "Stories are listed by the time of their creation, the newest first. Archived ones are listed too. A search (`query`) returns at most 1,000 stories.",
    "Priorities are custom fields, which are neither read nor written.",
    "Instant events cover stories and comments; changed teams are found at the interval.",
    "There is no MCP server that could be used with these connections: Shortcut's own accepts only tokens from its own OAuth server.",
  ],
  addresses: {
    api: "https://api.app.shortcut.com/api/v3",
    // `url` of files: https://developer.shortcut.com/api/rest/v3#UploadedFile
    media: "https://media.app.shortcut.com",
    // No `mcp`: https://help.shortcut.com/hc/en-us/articles/34734717380756
  },
  auth: {
    api_key: { label: "API token", help: "https://app.shortcut.com/settings/account/api-tokens" },
  },
  // https://developer.shortcut.com/api/rest/v3#Authentication
  authorization: ({ token = "" }) => ({ headers: { "shortcut-token": token } }),
  alsoAuthorizedBy: { query: ["token"] },
  hooks,
  check: get("/member"),
} satisfies Manifest;
