import { get, identity, implement, one, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read.
interface JiraAccount {
  accountId: string;
  displayName?: string | null;
  /** Left out if the user's privacy settings hide it. */
  emailAddress?: string | null;
  avatarUrls?: Record<string, string> | null;
}

export default implement(identity, {
  getMe: one({
    request: () => get("/myself"),
    record: ({ accountId, displayName, emailAddress, avatarUrls }: JiraAccount) => ({
      id: accountId,
      name: orNull(displayName),
      email: orNull(emailAddress),
      avatar_url: orNull(avatarUrls?.["48x48"]),
    }),
  }),
});
