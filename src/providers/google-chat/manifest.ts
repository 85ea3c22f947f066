import {
  get,
  googleClientSteps,
  googleLogin,
  googleLoginAddresses,
  googleOpenId,
  googleOpenIdScopes,
  googleScope,
  type Manifest,
} from "../../provider-kit/index.ts";

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
    upload: "https://chat.googleapis.com/upload/v1",
    // The Chat API has only users' ids. Their names are in the directory.
    people: "https://people.googleapis.com/v1",
    openid: googleOpenId,
    ...googleLoginAddresses,
    // https://developers.google.com/workspace/chat/api/guides/configure-mcp-server
    mcp: "https://chatmcp.googleapis.com/mcp/v1",
  },
  auth: {
    oauth2: {
      app: {
        url: "https://developers.google.com/workspace/chat/authenticate-authorize-chat-user",
        steps: [
          "In a Google Cloud project, enable the Google Chat API and the People API.",
          "Give the app a name, an avatar and a description on the **Configuration** tab of the Google Chat API.",
          ...googleClientSteps,
        ],
      },
      // https://developers.google.com/workspace/chat/authenticate-authorize#chat-api-scopes
      scopes: [
        ...googleOpenIdScopes,
        googleScope("chat.spaces.readonly"),
        googleScope("chat.messages.readonly"),
        googleScope("chat.messages.create"),
        googleScope("directory.readonly"),
      ],
      ...googleLogin,
    },
  },
  // https://developers.google.com/workspace/chat/api/reference/rest/v1/media/download
  fileContent: /[?&]alt=media\b/,
  check: get("/spaces", {}, { pageSize: 1 }),
  // https://developers.google.com/workspace/events/guides/events-chat
  hooks: {
    per: "none",
    because: "Google sends events of Chat to a Pub/Sub topic of a Google Cloud project only, and not to an address",
  },
} satisfies Manifest;
