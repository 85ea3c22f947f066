import { graphql, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface MondayMe {
  data: {
    me: { id: string; name?: string | null; email?: string | null; photo_url?: { original?: string | null } | null };
  };
}

const GET_ME = "query GetMe { me { id name email title url photo_url { original small } } }";

export default implement(identity, {
  getMe: one({
    request: () => graphql(GET_ME, {}),
    record: ({ data: { me } }: MondayMe) => ({
      id: me.id,
      name: orNull(me.name),
      email: orNull(me.email),
      avatar_url: orNull(me.photo_url?.original),
    }),
  }),
});
