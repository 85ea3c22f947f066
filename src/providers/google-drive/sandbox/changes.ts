import { changeableList } from "../../../emulator-kit/index.ts";
import { contentOf, FOLDER, ROOT, SHORTCUT, type State } from "./data.ts";

/** The user's own files. Folders stay as they are, because other files are in them. */
const files = changeableList({
  items: ({ files }: State) => files,
  parameters: () => ({ folder_id: undefined }),
  shows(_, { folder_id }) {
    const folder = folder_id === "root" ? ROOT : folder_id;
    return ({ mimeType, trashed, driveId, parents = [] }) =>
      ![FOLDER, SHORTCUT].includes(mimeType) && !trashed && !driveId && (!folder || parents.includes(folder));
  },
  update: ({ title, time }, { properties }) => ({
    name: `${title}.txt`,
    properties: { ...properties, note: title },
    modifiedTime: time,
  }),
  create({ nth, time }, { name }) {
    const id = `1Created${String(nth).padStart(25, "0")}`;
    return {
      id,
      mimeType: "text/plain",
      size: String(contentOf({ id, name }).length),
      webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
      createdTime: time,
    };
  },
  markDeleted: () => ({ trashed: true, explicitlyTrashed: true }),
});

export const changes = { "drive.listFiles": files };
