import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

interface TrelloMember {
  id: string;
  username?: string;
  fullName?: string | null;
  /** Null without the permission to read it. */
  email?: string | null;
  /** An address to which a size has to be added. */
  avatarUrl?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/members/me", { fields: "fullName,username,email,avatarUrl" }),
    record: (member: TrelloMember) => ({
      id: member.id,
      name: orNull(member.fullName, member.username),
      email: orNull(member.email),
      avatar_url: member.avatarUrl ? `${member.avatarUrl}/170.png` : null,
    }),
  }),
});
