import { identity } from "../../categories/identity.ts";
import { joinName } from "../../provider-kit/contact.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

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
