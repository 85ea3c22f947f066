import { get, identity, implement, one, toAccount } from "../../provider-kit/index.ts";
import { type SlackUser, toUser } from "./user.ts";

export default implement(identity, {
  // auth.test names the user, a bot's own user included, but has neither email address nor picture.
  // https://docs.slack.dev/reference/methods/auth.test
  getMe: one({
    async load({ upstream }) {
      const { user_id } = (await upstream<{ user_id: string }>(get("/auth.test"))).body;
      return (await upstream<{ user: SlackUser }>(get("/users.info", { user: user_id }))).body.user;
    },
    record: (user: SlackUser) => toAccount(toUser(user)),
  }),
});
