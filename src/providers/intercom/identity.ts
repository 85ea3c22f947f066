import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface IntercomMe {
  id: string | number;
  name?: string | null;
  email?: string | null;
  avatar?: { image_url?: string | null } | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/me"),
    record: ({ id, name, email, avatar }: IntercomMe) => ({
      id: String(id),
      name: orNull(name),
      email: orNull(email),
      avatar_url: orNull(avatar?.image_url),
    }),
  }),
});
