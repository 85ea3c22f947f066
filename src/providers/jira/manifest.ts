import { type DiscoverContext, get, type Manifest, type Upstream } from "../../provider-kit/index.ts";
import { adminHooks, hooks } from "./hooks.ts";

// Only the fields that are read.
interface AccessibleResource {
  id: string;
  url: string;
  scopes: string[];
}

/**
 * The site that the user granted access to. If they granted several over time, all of them are listed; the first is
 * used unless the connection names another. A site with Confluence has an entry for each product.
 * https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#3--make-calls-to-the-api-using-the-access-token
 */
async function discover(upstream: Upstream, { auth, settings }: DiscoverContext): Promise<Record<string, string>> {
  if (auth !== "oauth2") return {};
  const request = get("/oauth/token/accessible-resources", {}, {}, { to: "gateway" });
  const { body } = await upstream<AccessibleResource[]>(request);
  const sites = body.filter(({ scopes }) => scopes.some((scope) => scope.includes("jira")));
  const { cloud_id, site_url } = settings;
  const named = sites.find(({ id, url }) => id === cloud_id || url === site_url);
  const site = cloud_id || site_url ? named : sites[0];
  return site ? { cloud_id: site.id, site_url: site.url } : {};
}

export default {
  id: "jira",
  name: "Jira",
  docs: "https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/",
  notes: [
    "With OAuth, a connection is one site. If the user has granted access to several over time, the first one is used, unless the connection has the setting `site_url` or `cloud_id`.",
    "Wherever the API takes the ID of a task or a project, the key works too: `ACME-12`, `ACME`.",
    "A new task has the type Task, or the project's first type if there is none of that name; with `parent_id` it is a sub-task, or a task of an epic.",
    "A task's status changes by a transition of its workflow. A new task keeps its initial status if the workflow has no transition from there to the given one.",
    "Instant events of an OAuth connection need the scope `manage:jira-webhook` (add it to the permissions of the app and to the integration's `scopes`). They cover tasks and comments. Jira registers one address for each app and site, so that of several connections to a site only the first has them; and while the app is not distributed, only connections of its owner do. With an API token, they need an administrator of Jira, and cover projects too.",
    "The MCP server can be used with an API token, if the organization allows that. With OAuth it accepts only tokens from its own OAuth server.",
  ],
  addresses: {
    api: "https://api.atlassian.com/ex/jira/{cloud_id}/rest/api/3",
    // With the older version of the API, and those of boards and sprints (`/agile/1.0`).
    rest: "https://api.atlassian.com/ex/jira/{cloud_id}/rest",
    gateway: "https://api.atlassian.com",
    authorize: "https://auth.atlassian.com/authorize",
    token: "https://auth.atlassian.com/oauth/token",
  },
  // The gateway is for OAuth; an API token without scopes works at the site's own address.
  // https://developer.atlassian.com/cloud/jira/platform/basic-auth-for-rest-apis/
  addressesWith: {
    basic: {
      api: "https://{site}.atlassian.net/rest/api/3",
      rest: "https://{site}.atlassian.net/rest",
      // https://github.com/atlassian/atlassian-mcp-server
      mcp: "https://mcp.atlassian.com/v2/mcp",
    },
  },
  settings: {
    site: {
      label: "Jira site",
      hint: "The first part of your Jira address: acme in acme.atlassian.net",
      placeholder: "acme",
      pattern: "[a-z0-9][a-z0-9-]*",
      askedWith: ["basic"],
    },
    cloud_id: { label: "Jira cloud ID", pattern: "[0-9a-f-]{36}", askedWith: [] },
    site_url: { label: "Jira site URL", pattern: "https://[a-z0-9][a-z0-9.-]*", askedWith: [] },
  },
  auth: {
    // https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/
    oauth2: {
      app: {
        url: "https://developer.atlassian.com/console/myapps/",
        steps: [
          "Select **Create** and **OAuth 2.0 integration**.",
          "Under **Authorization**, add **OAuth 2.0 (3LO)** with the redirect URL as **Callback URL**.",
          "Under **Permissions**, add the **Jira API** with the scopes `read:jira-work`, `write:jira-work` and `read:jira-user`.",
          "Under **Settings**, copy the client ID and the secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["read:jira-work", "write:jira-work", "read:jira-user", "offline_access"],
      authorizeParameters: { audience: "api.atlassian.com", prompt: "consent" },
      tokenRequestBody: "json",
      // The documented flow has no PKCE.
      pkce: false,
      lifetime: 3600,
      rotates: true,
      // Both were observed for a refresh token that is no longer valid. A wrong client secret is "access_denied" here,
      // which does not invalidate a connection. There is no endpoint to revoke a token.
      voidGrantCodes: ["invalid_grant", "unauthorized_client"],
    },
    basic: {
      username: "Email address",
      password: "API token (without scopes)",
      help: "https://id.atlassian.com/manage-profile/security/api-tokens",
    },
  },
  // Attachments have the site's own host, where an OAuth token is not accepted; avatars are pictures for web pages.
  linkedAs: { rest: ["{site_url}/rest"] },
  publicLinks: /\/universal_avatar\//,
  hooks,
  hooksWith: { basic: adminHooks },
  check: get("/myself"),
  discover,
} satisfies Manifest;
