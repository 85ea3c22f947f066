import type { ApplicationHooks } from "../../provider-kit/index.ts";
import { getCurrentAccount } from "./requests.ts";

/** A request names accounts, but not what has changed. https://www.dropbox.com/developers/reference/webhooks */
export const hooks: ApplicationHooks = {
  per: "application",
  secret: "client_secret",
  steps: [
    "In the [App Console](https://www.dropbox.com/developers/apps), on **Settings** of your app, enter the address under **Webhook URIs**, and select **Add**. Dropbox checks it immediately. There is no further secret: requests are signed with the app secret.",
  ],
  handshake: { in: "query", name: "challenge", answer: "text" },
  signature: { kind: "hmac", headers: ["x-dropbox-signature"], algorithm: "sha256", encoding: "hex" },
  events: () => ["changed"],
  lists: { "drive.listFiles": { deletes: ["changed"] } },
  async account({ upstream }) {
    return (await upstream<{ account_id: string }>(getCurrentAccount())).body.account_id;
  },
  accounts: ({ body }) => body.list_folder?.accounts ?? [],
};
