import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

/** A user, or the workspace of an access token. Only the fields that are read here. */
interface BitbucketAccount {
  uuid: string;
  display_name?: string | null;
  nickname?: string | null;
  /** Of a workspace. */
  name?: string | null;
  links?: { avatar?: { href?: string } };
}

export default implement(identity, {
  getMe: one({
    request: () => get("", {}, {}, { to: "account" }),
    record: ({ uuid, display_name, nickname, name, links }: BitbucketAccount) => ({
      id: uuid,
      name: orNull(display_name, nickname, name),
      // Email addresses are at another address, and workspaces have none.
      email: null,
      avatar_url: orNull(links?.avatar?.href),
    }),
  }),
});
