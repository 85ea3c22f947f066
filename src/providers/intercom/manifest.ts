import { defined, get, type Manifest, post, secondsUntilReset, type Upstream } from "../../provider-kit/index.ts";
import { hooks, hooksOfOwnApp } from "./hooks.ts";

// Only the fields that are read.
interface Me {
  app?: { id_code?: string | null; region?: string | null } | null;
}

/** The workspace and its region, which are part of the address of a ticket's page. */
async function discover(upstream: Upstream): Promise<Record<string, string>> {
  const { app } = (await upstream<Me>(get("/me"))).body;
  return defined({ workspace: app?.id_code || undefined, region: app?.region?.toLowerCase() || undefined });
}

export default {
  id: "intercom",
  name: "Intercom",
  docs: "https://developers.intercom.com/docs/references/rest-api/api.intercom.io",
  notes: [
    "Tickets are Intercom's tickets. Conversations that did not become a ticket are not listed; the Proxy reaches them.",
    "A ticket's own response has no names of its people other than those of the authors of its parts. Whoever has not written in a ticket has an ID only, except for the requester in a list that is filtered by `requester`.",
    "Of a ticket's comments, Intercom returns the 500 newest parts, which include changes of its state.",
    "Tickets have no priority and their responses have no tags, so neither can be written.",
    "A new ticket has the first ticket type of the category Customer. A requester whom Intercom does not know becomes a contact without a name. The description and public comments are sent as plain text; only notes can have formatting.",
    "The permissions of an app are chosen in the Developer Hub: there are no scopes in the authorization request.",
    "The MCP server is only available to workspaces in the US.",
    "Webhooks, for events within seconds, are set in the app, once for all workspaces. A deleted ticket is found at the interval.",
  ],
  addresses: {
    // Requests are routed to the workspace's region.
    // https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/
    api: "https://api.intercom.io",
    authorize: "https://app.intercom.com/oauth",
    token: "https://api.intercom.io/auth/eagle/token",
    // Accepts access tokens of the API. https://developers.intercom.com/docs/guides/mcp
    mcp: "https://mcp.intercom.com/mcp",
  },
  settings: {
    workspace: { label: "Workspace ID", pattern: "[A-Za-z0-9_-]+", askedWith: [] },
    region: { label: "Region", pattern: "us|eu|au", askedWith: [] },
  },
  auth: {
    // https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/setting-up-oauth
    oauth2: {
      app: {
        url: "https://app.intercom.com/a/apps/_/developer-hub",
        steps: [
          "Select **New app** and a workspace.",
          "Under **Configure** and **Authentication**, select **Edit** and **Use OAuth**, and add the redirect URL: https is required.",
          "Select the permissions to read admins, to read and write tickets, and to read and list users and companies.",
          "Under **Basic information**, copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [],
      // PKCE is not part of the documented flow. Tokens do not expire.
      pkce: false,
      // https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/installing-uninstalling-apps/
      revoke: () => post("/auth/uninstall", {}),
    },
    api_key: {
      label: "Access token",
      help: "https://developers.intercom.com/docs/build-an-integration/learn-more/authentication/",
      steps: [
        "In the Developer Hub, create an app for your workspace and copy its access token from **Configure** and **Authentication**.",
      ],
    },
  },
  // Without it, the version that the app has in the Developer Hub is used.
  headers: { "intercom-version": "2.14" },
  // The hosts of the regions, which serve the same API.
  linkedAs: { api: ["https://api.*.intercom.io"] },
  check: get("/me"),
  hooks,
  hooksWith: { api_key: hooksOfOwnApp },
  discover,
  // https://developers.intercom.com/docs/references/rest-api/errors/rate-limiting
  retryAfter: secondsUntilReset,
} satisfies Manifest;
