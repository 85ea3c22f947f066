import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

/** Accounts of any organization; Graph serves Teams to no others. The app must be registered as multitenant. */
const LOGIN = "https://login.microsoftonline.com/organizations/oauth2/v2.0";

export default {
  id: "teams",
  name: "Microsoft Teams",
  docs: "https://learn.microsoft.com/en-us/graph/api/resources/teams-api-overview",
  notes: [
    "Only accounts of organizations can connect: Graph serves Teams to no others.",
    "A channel's id consists of the team's and the channel's id, joined by `~`.",
    "Messages are the first ones of their threads, the last modified first.",
  ],
  addresses: {
    api: "https://graph.microsoft.com/v1.0",
    authorize: `${LOGIN}/authorize`,
    token: `${LOGIN}/token`,
  },
  auth: {
    // Individual tokens cannot be revoked. https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
    oauth2: {
      app: {
        url: "https://learn.microsoft.com/en-us/entra/identity-platform/quickstart-register-app",
        steps: [
          "In the Microsoft Entra admin center, under **App registrations**, select **New registration**, with accounts in any organizational directory as supported account types (multitenant).",
          "Add the redirect URL for the platform **Web**.",
          "Under **API permissions**, add the delegated permissions of Microsoft Graph below. `ChannelMessage.Read.All` needs the consent of an administrator of each organization that connects.",
          "The **Application (client) ID** is the client ID. Create a client secret under **Certificates & secrets**.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: [
        // For a refresh token.
        "offline_access",
        "User.ReadBasic.All",
        "Team.ReadBasic.All",
        "Channel.ReadBasic.All",
        // Requires the consent of an administrator. https://learn.microsoft.com/en-us/graph/permissions-reference
        "ChannelMessage.Read.All",
        "ChannelMessage.Send",
      ],
      // A random value between 60 and 90 minutes. https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens
      lifetime: 3599,
      // https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens
      rotates: true,
    },
  },
  check: get("/me/joinedTeams"),
} satisfies Manifest;
