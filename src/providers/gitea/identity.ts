import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that are read here.
interface GiteaUser {
  id: number;
  login: string;
  full_name?: string | null;
  email?: string | null;
  avatar_url?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/user"),
    record: ({ id, login, full_name, email, avatar_url }: GiteaUser) => ({
      id: String(id),
      name: full_name || login,
      email: orNull(email),
      avatar_url: orNull(avatar_url),
    }),
  }),
});
