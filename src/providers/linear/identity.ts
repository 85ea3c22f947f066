import { graphql, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface LinearViewer {
  data: { viewer: { id: string; name: string; email: string | null; avatarUrl: string | null } };
}

export const GET_VIEWER = "query GetViewer { viewer { id name displayName email avatarUrl } }";

export default implement(identity, {
  getMe: one({
    request: () => graphql(GET_VIEWER, {}),
    record: ({ data: { viewer } }: LinearViewer) => ({
      id: viewer.id,
      name: orNull(viewer.name),
      email: orNull(viewer.email),
      avatar_url: orNull(viewer.avatarUrl),
    }),
  }),
});
