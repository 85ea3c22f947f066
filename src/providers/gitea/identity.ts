import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

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
