import { identity, implement, one, orNull } from "../../provider-kit/index.ts";
import { getCurrentAccount } from "./requests.ts";

interface DropboxAccount {
  account_id: string;
  name?: { display_name?: string | null } | null;
  email?: string | null;
  /** Absent if the user has no photo. */
  profile_photo_url?: string | null;
}

export default implement(identity, {
  getMe: one({
    request: getCurrentAccount,
    record: (account: DropboxAccount) => ({
      id: account.account_id,
      name: orNull(account.name?.display_name),
      email: orNull(account.email),
      avatar_url: orNull(account.profile_photo_url),
    }),
  }),
});
