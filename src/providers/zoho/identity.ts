import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

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
