import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

interface BoxUser {
  id: string;
  name?: string | null;
  /** The user's email address. */
  login?: string | null;
  avatar_url?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me", { fields: "id,name,login,avatar_url" }),
    record: (user: BoxUser) => ({
      id: user.id,
      name: orNull(user.name),
      email: orNull(user.login),
      avatar_url: orNull(user.avatar_url),
    }),
  }),
});
