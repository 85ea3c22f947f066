import { identity } from "../../categories/identity.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { get } from "../../provider-kit/request.ts";

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
