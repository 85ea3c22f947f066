import { hash } from "node:crypto";
import { countWritten, hour, keepContent, refuse, reply, toSecond } from "../../../emulator-kit/index.ts";
import { at, type SandboxFile, type SandboxFolder, type State } from "./data.ts";

/** Arguments of `files/upload`; the other content functions have only the path. */
export interface UploadArguments {
  path: string;
  autorename?: boolean;
}

/** After every other file of the sandbox. */
const FIRST_HOUR = 6_000;

/** What an ID or a path stands for. */
export const find = ({ entries }: State, idOrPath: string) =>
  entries.find(
    (entry): entry is SandboxFile | SandboxFolder =>
      entry[".tag"] !== "deleted" && (entry.id === idOrPath || entry.path_lower === idOrPath.toLowerCase()),
  );

/** Refuses a file that cannot be written. */
const refuseWrite = (reason: { ".tag": string; conflict?: object }) =>
  refuse(
    reply(409, {
      error_summary: `path/${reason[".tag"]}/..`,
      error: { ".tag": "path", reason, upload_session_id: "pid_upload_session:sandbox" },
    }),
  );

/** The path of a folder that exists from now on. */
function makeFolder(state: State, path: string): string {
  if (path === "") return path;
  const existing = find(state, path);
  if (existing?.[".tag"] === "folder") return existing.path_display;
  const slash = path.lastIndexOf("/");
  if (existing || slash < 0) return refuseWrite({ ".tag": "malformed_path" });
  const place = at(makeFolder(state, path.slice(0, slash)), path.slice(slash + 1));
  state.entries.push({ ".tag": "folder", id: `id:folder${countWritten(state)}_`.padEnd(25, "0"), ...place });
  return place.path_display;
}

/** `a.txt`, `a (1).txt`, `a (2).txt` … */
const numbered = (name: string, count: number) => (count === 0 ? name : name.replace(/(\.[^.]*)?$/, ` (${count})$1`));

/** Writes a file as `files/upload` does in the mode `add`. Missing folders are created. */
export function write(state: State, { path, autorename = false }: UploadArguments, content: Buffer): SandboxFile {
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  if (slash < 0 || name === "") refuseWrite({ ".tag": "malformed_path" });
  const folder = makeFolder(state, path.slice(0, slash));
  for (let count = 0; ; count++) {
    const place = at(folder, numbered(name, count));
    const existing = find(state, place.path_lower);
    if (existing?.[".tag"] === "file" && content.equals(Buffer.from(state.contents.get(existing.id) ?? "")))
      return existing;
    if (existing && !autorename) refuseWrite({ ".tag": "conflict", conflict: { ".tag": existing[".tag"] } });
    if (existing) continue;
    const index = countWritten(state);
    const time = toSecond(hour(FIRST_HOUR + index));
    const file: SandboxFile = {
      ".tag": "file",
      id: `id:new${1_000 + index}_`.padEnd(25, "0"),
      ...place,
      client_modified: time,
      server_modified: time,
      rev: `02${(1_000 + index).toString(16).padStart(13, "0")}`,
      size: content.length,
      is_downloadable: true,
      content_hash: hash("sha256", content),
    };
    state.entries.push(file);
    keepContent(state.contents, file.id, content);
    return file;
  }
}
