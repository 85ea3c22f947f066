import { get, identity, implement, joinName, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface HelpScoutUser {
  id: number;
  firstName?: string | null;
  lastName?: string | null;
  email?: string | null;
  photoUrl?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me"),
    record: ({ id, firstName, lastName, email, photoUrl }: HelpScoutUser) => ({
      id: String(id),
      name: orNull(joinName(firstName, lastName)),
      email: orNull(email),
      avatar_url: orNull(photoUrl),
    }),
  }),
});
