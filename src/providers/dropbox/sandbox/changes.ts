import { changeableList, toSecond } from "../../../emulator-kit/index.ts";
import { at, type SandboxFile, type State } from "./data.ts";
import { find } from "./upload.ts";

const CONTENT = "Created on command\n";
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
const renamed = ({ path_display }: SandboxFile, title: string) => at(folderOf(path_display), `${title}.txt`);

/** Folders stay as they are, because other entries are in them. */
const files = changeableList<State, SandboxFile>({
  // Only files are shown, so only files are changed.
  items: ({ entries }) => entries as SandboxFile[],
  parameters: () => ({ folder_id: undefined }),
  shows(state, { folder_id }) {
    const folder = folder_id === undefined || folder_id === "/" ? "" : find(state, folder_id)?.path_lower;
    return (entry) => entry[".tag"] === "file" && (folder_id === undefined || folderOf(entry.path_lower) === folder);
  },
  update: ({ title, now }, file) => ({
    ...renamed(file, title),
    client_modified: toSecond(now),
    server_modified: toSecond(now),
  }),
  create: ({ nth }) => ({ id: `id:created${nth}`.padEnd(25, "_"), size: CONTENT.length }),
  onCreate: ({ id }, { contents }) => void contents.set(id, CONTENT),
});

export const changes = { "drive.listFiles": files };
