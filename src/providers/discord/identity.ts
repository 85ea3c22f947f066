import { get, identity, implement, one, toAccount } from "../../provider-kit/index.ts";
import { type DiscordUser, toUser } from "./chat.ts";

export default implement(identity, {
  // https://docs.discord.com/developers/resources/user#get-current-user
  getMe: one({
    request: () => get("/users/@me"),
    record: (user: DiscordUser) => toAccount(toUser(user)),
  }),
});
