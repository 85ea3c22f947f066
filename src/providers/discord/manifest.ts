import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

export default {
  id: "discord",
  name: "Discord",
  docs: "https://docs.discord.com/developers/reference",
  addresses: {
    api: "https://discord.com/api/v10",
    guild: "https://discord.com/api/v10/guilds/{guild_id}",
  },
  settings: {
    guild_id: {
      label: "Server ID",
      hint: "In Discord, switch on Developer Mode (User Settings, Advanced), then right-click the server and choose Copy Server ID",
      placeholder: "197038439483310086",
      pattern: "[1-9]\\d{16,19}",
    },
  },
  auth: {
    // A token of OAuth is a user's, and reads neither members nor messages: only a bot may, by its own token.
    // https://docs.discord.com/developers/topics/oauth2#bot-vs-user-accounts
    api_key: { label: "Bot token", help: "https://discord.com/developers/applications" },
  },
  // https://docs.discord.com/developers/reference#authentication
  authorization: ({ token = "" }) => ({ headers: { authorization: `Bot ${token}` } }),
  // Requests that do not name themselves in this form may be blocked.
  // https://docs.discord.com/developers/reference#user-agent
  headers: { "user-agent": "DiscordBot (plugboard, 1.0.0)" },
  // Answers only where the token is good and its bot is a member of the server.
  check: get("", {}, {}, { to: "guild" }),
} satisfies Manifest;
