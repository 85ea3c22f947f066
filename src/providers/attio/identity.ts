import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface AttioIdentity {
  workspace_id: string;
  workspace_name?: string | null;
  workspace_logo_url?: string | null;
}

// A token belongs to a workspace; reading the member who authorized it would need another scope.
export default implement(identity, {
  getMe: one({
    request: () => get("/self"),
    record: ({ workspace_id, workspace_name, workspace_logo_url }: AttioIdentity) => ({
      id: workspace_id,
      name: orNull(workspace_name),
      email: null,
      avatar_url: orNull(workspace_logo_url),
    }),
  }),
});
