import { get, graphAddresses, graphOAuth, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "teams",
  name: "Microsoft Teams",
  docs: "https://learn.microsoft.com/en-us/graph/api/resources/teams-api-overview",
  notes: [
    "Only accounts of organizations can connect: Graph serves Teams to no others.",
    "A channel's id consists of the team's and the channel's id, joined by `~`.",
    "Messages are the first ones of their threads, the last modified first. Messages of the system are left out.",
    "Pictures of users are not returned: Graph serves them only to requests with a token.",
    "Instant events cover the messages of one channel: users and channels are read at their interval. Microsoft allows one subscription per app and channel, so that of two connections that watch the same channel, one reads it at its interval.",
  ],
  addresses: graphAddresses("organizations"),
  auth: {
    oauth2: graphOAuth({
      accounts: "organizations",
      scopes: [
        "User.Read",
        "User.ReadBasic.All",
        "Team.ReadBasic.All",
        "Channel.ReadBasic.All",
        "ChannelMessage.Read.All",
        "ChannelMessage.Send",
      ],
      permissionsNote:
        "`ChannelMessage.Read.All` needs the consent of an administrator of each organization that connects.",
    }),
  },
  check: get("/me/joinedTeams"),
  hooks,
} satisfies Manifest;
