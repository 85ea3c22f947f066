import { get, type Manifest } from "../../provider-kit/index.ts";

export default {
  id: "freshdesk",
  name: "Freshdesk",
  docs: "https://developers.freshdesk.com/api/",
  notes: [
    "An API key has the permissions of the agent that it belongs to.",
    "Freshdesk returns at most 300 pages of a list. Further tickets are read with another list, which fails if thousands of older ones were updated since.",
    "Responses have only the IDs of agents and of the authors of comments, so their names are null.",
    "A status that was added by an administrator has its number as name, also for changing a ticket's status.",
    "A public comment is a reply: Freshdesk sends it to the requester by email.",
    "A new ticket has the priority `Low`, unless another is given.",
    "Deleted tickets and spam are not listed.",
  ],
  addresses: { api: "https://{subdomain}.freshdesk.com/api/v2" },
  settings: {
    subdomain: {
      label: "Freshdesk subdomain",
      hint: "The first part of your Freshdesk address: acme in acme.freshdesk.com",
      placeholder: "acme",
      pattern: "[a-z0-9][a-z0-9-]*",
    },
  },
  auth: {
    api_key: {
      label: "API key",
      help: "https://support.freshdesk.com/support/solutions/articles/215517-how-to-find-your-api-key",
      steps: [
        "Select your profile picture, open **Profile settings** and copy the key from **Your API Key** on the right.",
      ],
    },
  },
  // The key is the user name, and the password may be anything.
  // https://developers.freshdesk.com/api/#authentication
  authorization: ({ token = "" }) => ({
    headers: { authorization: `Basic ${Buffer.from(`${token}:X`).toString("base64")}` },
  }),
  check: get("/agents/me"),
  // https://support.freshdesk.com/support/solutions/folders/272646
  hooks: {
    per: "none",
    because: "Freshdesk sends webhooks only from automation rules that an administrator writes, and does not sign them",
  },
} satisfies Manifest;
