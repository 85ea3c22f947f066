import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

interface AsanaUser {
  gid: string;
  name?: string | null;
  email?: string | null;
  /** Null if the user has not set one. */
  photo?: { image_128x128?: string | null } | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me", { opt_fields: "name,email,photo.image_128x128" }),
    record: ({ data: user }: { data: AsanaUser }) => ({
      id: user.gid,
      name: user.name || null,
      email: user.email || null,
      avatar_url: user.photo?.image_128x128 ?? null,
    }),
  }),
});
