import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read here.
export interface GitLabUser {
  id: number;
  username: string;
  name?: string | null;
  email?: string | null;
  avatar_url?: string | null;
}

export default implement(identity, {
  // The token of a group or project belongs to a bot user.
  getMe: one({
    request: () => get("/user"),
    record: ({ id, username, name, email, avatar_url }: GitLabUser) => ({
      id: String(id),
      name: name || username,
      email: orNull(email),
      avatar_url: orNull(avatar_url),
    }),
  }),
});
