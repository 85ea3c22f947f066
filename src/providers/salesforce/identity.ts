import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface SalesforceUser {
  user_id: string;
  name?: string | null;
  email?: string | null;
  picture?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("", {}, {}, { to: "userinfo" }),
    record: ({ user_id, name, email, picture }: SalesforceUser) => ({
      id: user_id,
      name: orNull(name),
      email: orNull(email),
      avatar_url: orNull(picture),
    }),
  }),
});
