import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

export default {
  id: "google-chat",
  name: "Google Chat",
  docs: "https://developers.google.com/workspace/chat/api/reference/rest",
  notes: [
    "Users are those of the organization's directory.",
    "Channels are spaces with a name. Direct messages and group chats have none; list them with your own `filter` in `params`.",
    "Before users outside of your organization can connect, Google has to review the app.",
  ],
  addresses: {
    api: "https://chat.googleapis.com/v1",
    // The Chat API has only users' ids. Their names are in the directory.
    people: "https://people.googleapis.com/v1",
    authorize: "https://accounts.google.com/o/oauth2/v2/auth",
    token: "https://oauth2.googleapis.com/token",
    revoke: "https://oauth2.googleapis.com/revoke",
    // https://developers.google.com/workspace/chat/api/guides/configure-mcp-server
    mcp: "https://chatmcp.googleapis.com/mcp/v1",
  },
  auth: {
    // https://developers.google.com/identity/protocols/oauth2/web-server
    oauth2: {
      app: {
        url: "https://developers.google.com/workspace/chat/authenticate-authorize-chat-user",
        steps: [
          "In a Google Cloud project, enable the Google Chat API and the People API.",
          "Give the app a name, an avatar and a description on the **Configuration** tab of the Google Chat API.",
          "Configure the OAuth consent screen, and create an OAuth client of the type **Web application** with the redirect URL under **Authorized redirect URIs**.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // https://developers.google.com/workspace/chat/authenticate-authorize#chat-api-scopes
      scopes: [
        scope("chat.spaces.readonly"),
        scope("chat.messages.readonly"),
        scope("chat.messages.create"),
        scope("directory.readonly"),
      ],
      // Google issues a refresh token only on request, and another one only after the user consents again.
      authorizeParameters: { access_type: "offline", prompt: "consent" },
      lifetime: 3599,
      revoke: { address: "revoke" },
    },
  },
  check: get("/spaces", {}, { pageSize: 1 }),
} satisfies Manifest;
