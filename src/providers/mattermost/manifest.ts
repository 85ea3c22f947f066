import type { Manifest } from "../../contracts/manifest.ts";
import { get, post } from "../../provider-kit/request.ts";

export default {
  id: "mattermost",
  name: "Mattermost",
  docs: "https://developers.mattermost.com/api-documentation",
  // Mattermost is self-hosted: the integration's base_url replaces this host.
  addresses: {
    api: "https://mattermost.example/api/v4",
    authorize: "https://mattermost.example/oauth/authorize",
    token: "https://mattermost.example/oauth/access_token",
  },
  selfHostedOnly: true,
  auth: {
    // https://developers.mattermost.com/integrate/apps/authentication/oauth2
    oauth2: {
      authorize: "authorize",
      token: "token",
      // Mattermost has no scopes: an app may do whatever its user may.
      scopes: [],
      // The server's SessionLengthSSOInHours, thirty days by default.
      lifetime: 2_592_000,
      rotates: true,
      // A refused refresh has the API's error format, not the one of the OAuth standard.
      // https://github.com/mattermost/mattermost/blob/master/server/channels/app/oauth.go
      voidGrantCodes: ["api.oauth.get_access_token.refresh_token.app_error"],
      // Ends the session that the token belongs to, and with it the grant.
      // https://github.com/mattermost/mattermost/blob/master/server/channels/app/platform/session.go
      revoke: () => post("/users/logout", {}),
    },
    api_key: {
      label: "Personal access token or bot token",
      help: "https://developers.mattermost.com/integrate/reference/personal-access-token",
    },
  },
  check: get("/users/me"),
} satisfies Manifest;
