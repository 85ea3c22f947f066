import type { EmulatedHooks } from "../../../emulator-kit/index.ts";
import { account, type State } from "./data.ts";

/** https://www.dropbox.com/developers/reference/webhooks */
export const hooks: EmulatedHooks<State> = {
  request: () => ({
    headers: { "user-agent": "DropboxWebhooks/1.0" },
    body: { list_folder: { accounts: [account.account_id] }, delta: { users: [12345] } },
  }),
  challenge: () => ({ method: "GET", query: { challenge: crypto.randomUUID() } }),
};
