import { get, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "box",
  name: "Box",
  docs: "https://developer.box.com/reference",
  notes: [
    "Box lists one folder at a time, so a list of everything reads one folder after the other: each one costs a call, and a page may be shorter than `limit` while `next` continues. If a folder is deleted before its turn, the walk ends with Box's 404 and has to start again.",
    "Files and folders are numbered separately. `GET /unified/v1/drive/files/{file_id}` finds a file first, then a folder.",
    "The `folder_id` of the top is `0`. Bookmarks (web links) are not files and are left out, and so is what is in the trash.",
    "Box reports no file types: `mime_type` follows from the extension of the name.",
    "Custom fields are metadata of the enterprise's templates. Box's search has none: with `query`, they are null.",
    "A search (`query`) ends after about 10,000 results.",
    "Box requires the scope `root_readwrite` for downloads.",
    "An upload never replaces a file: a name that is in use in its folder is refused with 409. Box recommends an upload in pieces, with the Proxy, for files over 50 MB.",
    "The MCP server has to be enabled in the Admin Console, and accepts only tokens of the client that is set up there.",
    "Instant events cover one folder (a `folder_id` other than `0`); a list of everything is read at its interval. The app needs **Manage Webhooks** under **Application Scopes**, and the integration the `scopes` `root_readwrite` and `manage_webhook`. Its `hook_secret` is the primary and the secondary signature key of the app (under **Webhooks** in the Developer Console), separated by a space.",
  ],
  addresses: {
    api: "https://api.box.com/2.0",
    upload: "https://upload.box.com/api/2.0",
    // Pictures and texts of files: https://developer.box.com/guides/representations
    download: "https://dl.boxcloud.com/api/2.0",
    authorize: "https://account.box.com/api/oauth2/authorize",
    token: "https://api.box.com/oauth2/token",
    revoke: "https://api.box.com/oauth2/revoke",
    // https://developer.box.com/guides/box-mcp/remote
    mcp: "https://mcp.box.com",
  },
  auth: {
    // https://developer.box.com/guides/authentication/oauth2
    oauth2: {
      app: {
        url: "https://app.box.com/developers/console",
        steps: [
          "Create a platform app with **User Authentication (OAuth 2.0)**.",
          "On **Configuration**, add the redirect URL under **OAuth 2.0 Redirect URIs**, and copy the client ID and the client secret.",
          "Under **Application Scopes**, choose **Read and write all files and folders stored in Box**, and save.",
        ],
      },
      authorize: "authorize",
      token: "token",
      // Reading alone would do for the lists, but not for downloads.
      // https://support.box.com/hc/en-us/community/posts/360052262573
      scopes: ["root_readwrite"],
      // PKCE is not part of the documented flow.
      pkce: false,
      lifetime: 3600,
      // https://developer.box.com/guides/authentication/tokens/refresh
      rotates: true,
      revoke: { address: "revoke" },
    },
  },
  // Uploads are sent to a data center nearby: https://developer.box.com/reference/options-files-content
  linkedAs: { upload: ["https://upload-*.app.box.com/api/2.0", "https://upload.app.box.com/api/2.0"] },
  check: get("/users/me"),
  hooks,
} satisfies Manifest;
