import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface NotionUser {
  id: string;
  name?: string | null;
  avatar_url?: string | null;
  person?: { email?: string | null };
}
export interface NotionBot extends NotionUser {
  bot?: {
    owner?: { type?: string; user?: NotionUser };
    workspace_id?: string | null;
    workspace_name?: string | null;
  };
}

export default implement(identity, {
  getMe: one({
    request: () => get("/users/me"),
    // A token belongs to a bot. Behind it is the user who authorized it, or the whole workspace.
    isUser: ({ bot }: NotionBot) => bot?.owner?.user !== undefined,
    record(self: NotionBot) {
      const account: NotionUser = self.bot?.owner?.user ?? self;
      return {
        id: account.id,
        name: orNull(account.name, self.bot?.workspace_name),
        email: orNull(account.person?.email),
        avatar_url: orNull(account.avatar_url),
      };
    },
  }),
});
