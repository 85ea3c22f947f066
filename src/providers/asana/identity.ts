import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

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
      name: orNull(user.name),
      email: orNull(user.email),
      avatar_url: orNull(user.photo?.image_128x128),
    }),
  }),
});
