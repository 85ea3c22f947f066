import type { Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";
import { getCurrentAccount, revokeToken } from "./requests.ts";

export default {
  id: "dropbox",
  name: "Dropbox",
  docs: "https://www.dropbox.com/developers/documentation/http/documentation",
  notes: [
    "An entry does not name its folder's ID, so `parent_id` is the folder's path in lower case and without its first slash, such as `homework/math`. Such a path is accepted wherever an ID is: as `file_id` and as `folder_id`. The `folder_id` of the top is `/`.",
    "Folders have no times, so a list with `updated_since` has all of them. `query` cannot be combined with `folder_id`. Files have no time of creation: `created_at` is null.",
    "Dropbox reports no file types: `mime_type` follows from the extension of the name.",
    "Files that cannot be downloaded as they are, such as Paper documents, are exported in the format that Dropbox names for them in `export_info`.",
    "An upload is at most 150 MiB. It never replaces a file: if there is one with the same name and other content, the new one gets another name.",
    "Paths start at the user's own folder. Of a team with a shared team space, only the folders inside that folder are listed.",
    "Errors of an API function, such as an unknown file, have the status 409; `error_summary` says which one it is.",
  ],
  addresses: {
    api: "https://api.dropboxapi.com/2",
    content: "https://content.dropboxapi.com/2",
    authorize: "https://www.dropbox.com/oauth2/authorize",
    token: "https://api.dropboxapi.com/oauth2/token",
  },
  auth: {
    // https://developers.dropbox.com/oauth-guide
    oauth2: {
      app: {
        url: "https://www.dropbox.com/developers/apps",
        steps: [
          "Select **Create app**, then **Scoped access**, and **Full Dropbox** or **App folder**.",
          "On **Settings**, add the redirect URL under **Redirect URIs**, and copy the app key (the client ID) and the app secret (the client secret).",
          "On **Permissions**, choose the scopes below and select **Submit**.",
        ],
      },
      authorize: "authorize",
      token: "token",
      scopes: ["account_info.read", "files.metadata.read", "files.content.read", "files.content.write"],
      // Without it there is no refresh token. https://dropbox.tech/developers/using-oauth-2-0-with-offline-access
      authorizeParameters: { token_access_type: "offline" },
      lifetime: 14_400,
      revoke: revokeToken,
    },
  },
  check: getCurrentAccount(),
  hooks,
} satisfies Manifest;
