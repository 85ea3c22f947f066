import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "front",
  name: "Front",
  docs: "https://dev.frontapp.com/reference/introduction",
  notes: [
    "Tickets are conversations and tasks. Discussions among teammates and what is in the trash are not listed.",
    "Conversations have no `description`: the first message is the oldest comment. Tasks have one.",
    "Comments are the messages of a conversation, oldest first, and then the comments that only teammates see.",
    "New tickets arrive as a message of the requester in the inbox of the first shared channel. A public comment is a reply, which Front sends to the customer.",
    "A status can be changed to `open`, `archived`, `deleted` or `spam`, and tags to those that exist. There is no `priority`.",
    "The account is the company that the token belongs to: it has a name only.",
    "An OAuth token can read what is shared in the company, but nothing in individual inboxes. Only a company admin can connect.",
    "Webhooks, for events within seconds, are set in the app, once for all companies. They are for shared inboxes, and report neither contacts nor changes of subjects and custom fields: those are found at the interval.",
  ],
  addresses: {
    api: "https://api2.frontapp.com",
    authorize: "https://app.frontapp.com/oauth/authorize",
    token: "https://app.frontapp.com/oauth/token",
  },
  auth: {
    // https://dev.frontapp.com/docs/oauth
    oauth2: {
      app: {
        url: "https://dev.frontapp.com/docs/create-and-manage-apps",
        steps: [
          "In Front, open **Settings**, **Developers**, and create an app.",
          "Add the feature **OAuth** with the redirect URL.",
          "Choose the scopes there: reading needs `conversations:read`, `messages:read`, `comments:read`, `contacts:read` and, for custom fields, `custom_fields:read`, writing needs `conversations:write`, `messages:write`, `messages:send`, `comments:write`, `channels:read` and `tags:read`.",
          "Copy the client ID and the client secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // They are fixed in the app.
      scopes: [],
      tokenRequestAuth: "basic",
      // Not documented.
      pkce: false,
      // A token response says when the token expires (`expires_at`), not in how many seconds.
      lifetime: 3600,
      rotates: true,
    },
    api_key: {
      label: "API token",
      help: "https://dev.frontapp.com/docs/create-and-revoke-api-tokens",
    },
  },
  // Links have the company's own host: https://dev.frontapp.com/docs/pagination
  linkedAs: { api: ["https://*.api.frontapp.com", "https://api.frontapp.com"] },
  check: get("/me"),
  hooks,
} satisfies Manifest;
