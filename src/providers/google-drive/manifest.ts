import {
  get,
  googleClientSteps,
  googleFailed,
  googleLogin,
  googleLoginAddresses,
  googleScope,
  type Manifest,
} from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "google-drive",
  name: "Google Drive",
  docs: "https://developers.google.com/workspace/drive/api/reference/rest/v3",
  notes: [
    "The list of files has My Drive, what was shared with the user, and every shared drive that the user is a member of. Trashed files are left out.",
    "`folder_id=root` lists the top of My Drive, and the ID of a shared drive lists the top of that drive. What is at the top has no `parent_id`.",
    "A Google document has no bytes of its own, so a download exports it: Docs as Word (`.docx`), Sheets as Excel (`.xlsx`), Slides as PowerPoint (`.pptx`), Drawings as PDF, Apps Script as JSON. Google exports up to 10 MB. Forms, Sites and Maps cannot be exported.",
    "A shortcut is a file of its own. Its download is that of the file that it points to.",
    "Uploads need only the scope `drive.file`. Without `drive.readonly`, only files that were created or opened with your app are listed, and no security assessment by Google is needed.",
    "Search with your own `q` in `params`; it replaces the filters for the folder and the trash.",
    "Instant events cover the log of changes of the user: a change in a shared drive that is only in the log of the drive is found at the interval. Google does not say what has changed, so a deleted file is found when the whole list is read.",
  ],
  addresses: {
    api: "https://www.googleapis.com/drive/v3",
    upload: "https://www.googleapis.com/upload/drive/v3",
    // `exportLinks` of documents and of spreadsheets: https://developers.google.com/workspace/drive/api/reference/rest/v3/files
    documents: "https://docs.google.com/feeds/download",
    spreadsheets: "https://docs.google.com/spreadsheets/export",
    ...googleLoginAddresses,
    // https://developers.google.com/workspace/drive/api/reference/mcp
    mcp: "https://drivemcp.googleapis.com/mcp/v1",
  },
  auth: {
    oauth2: {
      app: {
        url: "https://developers.google.com/workspace/drive/api/guides/about-auth",
        steps: ["In a Google Cloud project, enable the Google Drive API.", ...googleClientSteps],
      },
      // https://developers.google.com/workspace/drive/api/guides/api-specific-auth
      scopes: [googleScope("drive.readonly"), googleScope("drive.file")],
      ...googleLogin,
    },
  },
  // https://developers.google.com/workspace/drive/api/guides/manage-downloads
  fileContent: /[?&]alt=media\b|\/export(?:\?|$)/,
  check: get("/about", { fields: "user" }),
  failed: googleFailed,
  hooks,
} satisfies Manifest;
