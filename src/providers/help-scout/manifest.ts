import { type Answer, get, header, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

/** https://developer.helpscout.com/mailbox-api/overview/rate-limiting/ */
function retryAfter(answer: Answer): number | undefined {
  const seconds = Number(header(answer, "x-ratelimit-retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : undefined;
}

export default {
  id: "help-scout",
  name: "Help Scout",
  docs: "https://developer.helpscout.com/mailbox-api/",
  notes: [
    "Tickets are the conversations of all inboxes, of every status. Deleted ones are not listed.",
    "Comments are the threads of a conversation that have a text. Drafts and hidden threads are not listed.",
    "New tickets go to the first inbox, as a message of the requester. A public comment is a reply, which Help Scout sends to the customer.",
    "A request can change one of `status`, `assignee_id` and `tags`. There is no `priority`.",
    "Help Scout has no scopes: a connection may do what its user may do.",
    "Webhooks, for events within seconds, do not report that a subject or a thread was edited: such changes are found at the interval.",
  ],
  addresses: {
    api: "https://api.helpscout.net/v2",
    authorize: "https://secure.helpscout.net/authentication/authorizeClientApplication",
    token: "https://api.helpscout.net/v2/oauth2/token",
  },
  auth: {
    // https://developer.helpscout.com/mailbox-api/overview/authentication/
    oauth2: {
      app: {
        url: "https://developer.helpscout.com/mailbox-api/overview/authentication/",
        steps: [
          "In Help Scout, open **Your Profile** and **My apps**, and create an app.",
          "Enter the redirect URL as its **Redirection URL**: Help Scout always redirects there.",
          "Copy the App ID and the App Secret.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [],
      // Not documented.
      pkce: false,
      lifetime: 172_800,
      // A refresh returns a new pair of tokens.
      rotates: true,
    },
  },
  check: get("/users/me"),
  hooks,
  retryAfter,
} satisfies Manifest;
