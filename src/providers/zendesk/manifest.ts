import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

export default {
  id: "zendesk",
  name: "Zendesk",
  docs: "https://developer.zendesk.com/api-reference/",
  notes: [
    "An OAuth client belongs to one Zendesk account. To connect accounts of other companies, request a [global OAuth client](https://developer.zendesk.com/documentation/marketplace/building-a-marketplace-app/set-up-a-global-oauth-client/).",
    "Archived tickets are not listed. A search (`query`) finds them, and returns at most 1,000 tickets. With OAuth it needs the scope `read`, which is not among the defaults because it allows to read everything: add it to the integration's `scopes`.",
    "Custom fields are described with the scope `read`. Without it, they are found in tickets that have a value, and written as they are: options by their tags.",
    "The description of a ticket is returned without formatting; its first comment has it.",
    "A requester whom Zendesk does not know becomes a customer, named by the email address if there is no name. A closed ticket cannot be changed.",
    "Webhooks, for events within seconds, need an administrator. With OAuth they need the scopes `webhooks:read` and `webhooks:write`, which are not among the defaults: add them to the integration's `scopes`. Without them, lists are read at their interval.",
  ],
  addresses: {
    api: "https://{subdomain}.zendesk.com/api/v2",
    authorize: "https://{subdomain}.zendesk.com/oauth/authorizations/new",
    token: "https://{subdomain}.zendesk.com/oauth/tokens",
  },
  settings: {
    subdomain: {
      label: "Zendesk subdomain",
      hint: "The first part of your Zendesk address: acme in acme.zendesk.com",
      placeholder: "acme",
      pattern: "[a-z0-9][a-z0-9-]*",
    },
  },
  auth: {
    // A client belongs to one Zendesk account, unless it is a global OAuth client.
    // https://developer.zendesk.com/documentation/marketplace/building-a-marketplace-app/set-up-a-global-oauth-client/
    oauth2: {
      app: {
        url: "https://support.zendesk.com/hc/en-us/articles/4408845965210-Using-OAuth-authentication-with-your-application",
        steps: [
          "In Admin Center, under **Apps and integrations** and **APIs**, open **OAuth clients** and add a client of the kind **Confidential**.",
          "Enter the redirect URL: https, except for localhost and 127.0.0.1.",
          "The **unique identifier** is the client ID. Copy the secret: it is shown only once.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["tickets:read", "tickets:write", "users:read"],
      // https://developer.zendesk.com/api-reference/ticketing/oauth/grant_type_tokens/
      tokenRequestBody: "json",
      // The maximum that can be requested; the actual lifetime comes with the token.
      lifetime: 172_800,
      // A refresh deletes both previous tokens.
      // https://developer.zendesk.com/documentation/api-basics/authentication/refresh-token
      rotates: true,
      // https://developer.zendesk.com/api-reference/ticketing/oauth/oauth_tokens/#revoke-token
      revoke: () => ({ ...get("/oauth/tokens/current.json"), method: "DELETE" }),
    },
    basic: {
      username: "Email address",
      password: "API token",
      help: "https://support.zendesk.com/hc/en-us/articles/4408889192858-Managing-API-token-access-to-the-Zendesk-API",
    },
  },
  // A token in place of a password is marked by a suffix of the username.
  // https://developer.zendesk.com/api-reference/introduction/security-and-auth/#api-token
  authorization: ({ token = "", username = "", password = "" }, auth) => ({
    headers: {
      authorization:
        auth === "basic" ? basic(`${username.replace(/\/token$/, "")}/token`, password) : `Bearer ${token}`,
    },
  }),
  check: get("/users/me"),
  hooks,
} satisfies Manifest;
