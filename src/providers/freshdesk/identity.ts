import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that are read.
interface FreshdeskAgent {
  id: number;
  contact?: { name?: string | null; email?: string | null } | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/agents/me"),
    record: ({ id, contact }: FreshdeskAgent) => ({
      id: String(id),
      name: orNull(contact?.name),
      email: orNull(contact?.email),
      avatar_url: null,
    }),
  }),
});
