import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read here.
export interface GitHubUser {
  id: number;
  login: string;
  name?: string | null;
  /** Null unless the user made it public. */
  email?: string | null;
  avatar_url?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/user"),
    record: ({ id, login, name, email, avatar_url }: GitHubUser) => ({
      id: String(id),
      name: name || login,
      email: orNull(email),
      avatar_url: orNull(avatar_url),
    }),
  }),
});
