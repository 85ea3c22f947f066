import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface PipedriveUser {
  data: { id: number; name?: string | null; email?: string | null; icon_url?: string | null };
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me", {}, {}, { to: "v1" }),
    record: ({ data: { id, name, email, icon_url } }: PipedriveUser) => ({
      id: String(id),
      name: orNull(name),
      email: orNull(email),
      avatar_url: orNull(icon_url),
    }),
  }),
});
