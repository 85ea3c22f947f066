import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface ZendeskMe {
  /** The id is null or left out if the request was not authenticated. */
  user: { id?: number | null; name: string; email?: string | null; photo?: { content_url?: string | null } | null };
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me"),
    record: ({ user }: ZendeskMe) => ({
      id: user.id ? String(user.id) : null,
      name: orNull(user.name),
      email: orNull(user.email),
      avatar_url: orNull(user.photo?.content_url),
    }),
  }),
});
