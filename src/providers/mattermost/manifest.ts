import type { Manifest } from "../../contracts/manifest.ts";
import { get, post } from "../../provider-kit/request.ts";

export default {
  id: "mattermost",
  name: "Mattermost",
  docs: "https://developers.mattermost.com/api-documentation",
  // Every server is somebody's own: the integration's base_url takes the place of this host.
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
      // There are none: an app may do what its user may.
      scopes: [],
      // A server's SessionLengthSSOInHours, thirty days unless it was changed.
      lifetime: 2_592_000,
      rotates: true,
      // A refusal is told as the API tells its errors, not as the standard has it.
      // https://github.com/mattermost/mattermost/blob/master/server/channels/app/oauth.go
      voidGrantCodes: ["api.oauth.get_access_token.refresh_token.app_error"],
      // Ends the session that a token stands for, and with it the grant.
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
