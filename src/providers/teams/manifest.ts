import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

/** Accounts of any organization; Graph serves Teams to no others. The app must be registered as multitenant. */
const LOGIN = "https://login.microsoftonline.com/organizations/oauth2/v2.0";

export default {
  id: "teams",
  name: "Microsoft Teams",
  docs: "https://learn.microsoft.com/en-us/graph/api/resources/teams-api-overview",
  addresses: {
    api: "https://graph.microsoft.com/v1.0",
    authorize: `${LOGIN}/authorize`,
    token: `${LOGIN}/token`,
  },
  auth: {
    // Individual tokens cannot be revoked. https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
    oauth2: {
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
