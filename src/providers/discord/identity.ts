import { identity } from "../../categories/identity.ts";
import { toAccount } from "../../provider-kit/account.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { type DiscordUser, toUser } from "./chat.ts";

export default implement(identity, {
  // https://docs.discord.com/developers/resources/user#get-current-user
  getMe: one({
    request: () => get("/users/@me"),
    record: (user: DiscordUser) => toAccount(toUser(user)),
  }),
});
