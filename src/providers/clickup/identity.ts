import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

interface ClickUpAccount {
  id: number;
  /** Null until the user has accepted an invitation. */
  username?: string | null;
  email?: string | null;
  profilePicture?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/user"),
    record: ({ user }: { user: ClickUpAccount }) => ({
      id: String(user.id),
      name: orNull(user.username),
      email: orNull(user.email),
      avatar_url: orNull(user.profilePicture),
    }),
  }),
});
