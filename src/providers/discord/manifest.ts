import { get, type Manifest } from "../../provider-kit/index.ts";

export default {
  id: "discord",
  name: "Discord",
  docs: "https://docs.discord.com/developers/reference",
  notes: [
    "OAuth cannot be used: the token of a user can read neither members nor messages. Only a bot can.",
    "A connection is one server, whose ID is a setting.",
    "Messages about who joined, pinned or boosted are left out. The account of a connection is the bot.",
    "Text and announcement channels are listed. Voice and forum channels and threads are not.",
  ],
  addresses: {
    api: "https://discord.com/api/v10",
    guild: "https://discord.com/api/v10/guilds/{guild_id}",
  },
  settings: {
    guild_id: {
      label: "Server ID",
      hint: "In Discord, turn on Developer Mode (User Settings > Advanced), then right-click the server and choose Copy Server ID",
      // The server of the sandbox, so that the example works there.
      placeholder: "1191168914227200001",
      pattern: "[1-9]\\d{16,19}",
    },
  },
  auth: {
    // An OAuth token belongs to a user and can read neither members nor messages. Only a bot can, with its own token.
    // https://docs.discord.com/developers/topics/oauth2#bot-vs-user-accounts
    api_key: {
      label: "Bot token",
      help: "https://discord.com/developers/applications",
      steps: [
        "Select **New Application**, open **Bot**, select **Reset Token** and copy the token.",
        "Under **Privileged Gateway Intents**, turn on **Server Members Intent**, to list users, and **Message Content Intent**, to read the text of messages.",
        "Under **OAuth2**, generate a URL with the scope `bot` and the permissions to view channels, read the message history and send messages. Open it and add the bot to the server.",
      ],
    },
  },
  // https://docs.discord.com/developers/reference#authentication
  authorization: ({ token = "" }) => ({ headers: { authorization: `Bot ${token}` } }),
  // Requests without a user agent of this form may be blocked.
  // https://docs.discord.com/developers/reference#user-agent
  headers: { "user-agent": "DiscordBot (plugboard, 1.0.0)" },
  // Succeeds only if the token is valid and its bot is a member of the server.
  check: get("", {}, {}, { to: "guild" }),
  // https://docs.discord.com/developers/events/webhook-events and https://docs.discord.com/developers/events/gateway
  hooks: {
    per: "none",
    because: "Discord reports the messages, channels and members of a server over a WebSocket only",
  },
} satisfies Manifest;
