import { get, identity, implement, one, toAccount } from "../../provider-kit/index.ts";
import { type MattermostUser, toUser } from "./chat.ts";

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me"),
    record: (user: MattermostUser) => toAccount(toUser(user)),
  }),
});
