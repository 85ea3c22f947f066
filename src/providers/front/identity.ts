import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface FrontIdentity {
  id: string | number;
  name?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/me"),
    // A token belongs to a company.
    isUser: () => false,
    record: ({ id, name }: FrontIdentity) => ({
      id: String(id),
      name: orNull(name),
      email: null,
      avatar_url: null,
    }),
  }),
});
