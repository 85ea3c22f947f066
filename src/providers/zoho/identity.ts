import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface ZohoUsers {
  users: { id: string; full_name?: string | null; email?: string | null; image_link?: string | null }[];
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users", { type: "CurrentUser" }),
    record: ({ users: [user] }: ZohoUsers) => ({
      id: user?.id ?? null,
      name: orNull(user?.full_name),
      email: orNull(user?.email),
      avatar_url: orNull(user?.image_link),
    }),
  }),
});
