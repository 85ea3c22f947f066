import { get, identity, implement, one, orNull, path } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface ShortcutMember {
  id: string;
  profile: {
    name?: string | null;
    mention_name?: string | null;
    email_address?: string | null;
    display_icon?: { url?: string | null } | null;
  };
}

export default implement(identity, {
  getMe: one({
    // The token's own member has neither an email address nor a picture: the list of members has both.
    async load({ upstream }) {
      const { body: own } = await upstream<{ id: string }>(get("/member"));
      return (await upstream<ShortcutMember>(get(path`/members/${own.id}`))).body;
    },
    record: ({ id, profile }: ShortcutMember) => ({
      id,
      name: orNull(profile.name, profile.mention_name),
      email: orNull(profile.email_address),
      avatar_url: orNull(profile.display_icon?.url),
    }),
  }),
});
