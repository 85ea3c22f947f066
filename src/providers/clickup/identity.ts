import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

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
      name: user.username || null,
      email: user.email || null,
      avatar_url: user.profilePicture || null,
    }),
  }),
});
