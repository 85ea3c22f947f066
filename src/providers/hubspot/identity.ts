import { get, identity, implement, one } from "../../provider-kit/index.ts";

export interface HubSpotAccount {
  portalId: number;
}

// A token belongs to an account (portal). Only the endpoint that takes the token in its path knows the user.
export default implement(identity, {
  getMe: one({
    request: () => get("/account-info/v3/details"),
    record: ({ portalId }: HubSpotAccount) => ({ id: String(portalId), name: null, email: null, avatar_url: null }),
  }),
});
