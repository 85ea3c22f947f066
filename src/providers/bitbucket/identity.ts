import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read here.
interface BitbucketUser {
  uuid: string;
  display_name?: string | null;
  nickname?: string | null;
  links?: { avatar?: { href?: string } };
}

export default implement(identity, {
  getMe: one({
    request: () => get("/user"),
    record: ({ uuid, display_name, nickname, links }: BitbucketUser) => ({
      id: uuid,
      name: orNull(display_name, nickname),
      // Email addresses are at another address, and workspace access tokens have none.
      email: null,
      avatar_url: orNull(links?.avatar?.href),
    }),
  }),
});
