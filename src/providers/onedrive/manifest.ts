import { get, graphAddresses, graphOAuth, type Manifest } from "../../provider-kit/index.ts";
import { hooks } from "./hooks.ts";

export default {
  id: "onedrive",
  name: "OneDrive",
  docs: "https://learn.microsoft.com/en-us/graph/api/resources/onedrive",
  notes: [
    "Accounts of organizations and personal accounts can connect. The files are those of the user's own OneDrive.",
    "The list of all files is Graph's list of changes from the beginning, so an item that changes while it is listed may come twice. Deleted items and the root folder are left out.",
    "`folder_id=root` lists the top of the drive.",
    "A shared folder or file that the user added to the drive is in someone else's drive: its id, and the ids of everything in it, consist of that drive's and the item's id, joined by `:`. What is in a shared folder is listed with its `folder_id` only.",
    "Files of up to 250 MB can be uploaded. If the folder has a file with that name, the new one gets another name. A line break in a name becomes a space.",
    "A OneNote notebook is a file without content: Graph refuses to download it.",
    "Instant events cover the user's own drive: what is in shared folders is read at the interval.",
  ],
  addresses: graphAddresses("common"),
  auth: {
    oauth2: graphOAuth({
      accounts: "common",
      // `Files.ReadWrite` covers the user's own files only: the other one is for what others share.
      scopes: ["User.Read", "Files.ReadWrite.All"],
    }),
  },
  check: get("/me/drive"),
  hooks,
} satisfies Manifest;
