import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

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
