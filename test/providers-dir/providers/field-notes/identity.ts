import { get, identity, implement, one, orNull } from "plugboard/provider-kit";

interface Self {
  user_id: number;
  full_name?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/self"),
    record: ({ user_id, full_name }: Self) => ({
      id: String(user_id),
      name: orNull(full_name),
      email: null,
      avatar_url: null,
    }),
  }),
});
