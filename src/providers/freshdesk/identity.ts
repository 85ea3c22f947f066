import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

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
