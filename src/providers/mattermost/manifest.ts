import { get, type Manifest, post } from "../../provider-kit/index.ts";

export default {
  id: "mattermost",
  name: "Mattermost",
  docs: "https://developers.mattermost.com/api-documentation",
  notes: [
    "There are no scopes: an application may do whatever its user may.",
    "Public and private channels are listed. Direct and group messages are not.",
    "Messages about who joined, left or changed a channel are left out.",
    "Pictures of users are not returned: their addresses work only for those who have logged in to the server.",
  ],
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
      app: {
        url: "https://developers.mattermost.com/integrate/apps/authentication/oauth2",
        steps: [
          "On your server, open **Integrations** and **OAuth 2.0 Applications** (`/<team>/integrations/oauth2-apps`), and add an application. An administrator has to allow it first.",
          "Enter the redirect URL under **Callback URLs**, and keep the application confidential: a public client gets no refresh token.",
          "Copy the client ID and the client secret.",
        ],
      },
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
  // https://developers.mattermost.com/integrate/webhooks/outgoing and https://developers.mattermost.com/api-documentation/#/#websocket
  hooks: {
    per: "none",
    because:
      "an outgoing webhook of Mattermost reports only new messages of public channels; everything else is sent over a WebSocket only",
  },
} satisfies Manifest;
