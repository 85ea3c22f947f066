import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

/** Any organisation's accounts; Graph serves Teams to no others. An app must be registered for several tenants. */
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
    // Tokens cannot be revoked one by one. https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
    oauth2: {
      authorize: "authorize",
      token: "token",
      scopes: [
        // Gives a refresh token.
        "offline_access",
        "User.ReadBasic.All",
        "Team.ReadBasic.All",
        "Channel.ReadBasic.All",
        // An administrator has to consent to it. https://learn.microsoft.com/en-us/graph/permissions-reference
        "ChannelMessage.Read.All",
        "ChannelMessage.Send",
      ],
      // Between 60 and 90 minutes, by chance. https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens
      lifetime: 3599,
      // https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens
      rotates: true,
    },
  },
  check: get("/me/joinedTeams"),
} satisfies Manifest;
