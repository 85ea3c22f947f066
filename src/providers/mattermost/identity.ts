import { identity } from "../../categories/identity.ts";
import { toAccount } from "../../provider-kit/account.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { type MattermostUser, toUser } from "./chat.ts";

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me"),
    record: (user: MattermostUser) => toAccount(toUser(user)),
  }),
});
