import { hash } from "node:crypto";
import { countWritten } from "../../../emulator-kit/emulator.ts";
import { keepContent } from "../../../emulator-kit/file.ts";
import { at, type SandboxFile, type SandboxFolder, type State, seconds } from "./data.ts";

/** Arguments of `files/upload`; the other content functions have only the path. */
export interface UploadArguments {
  path: string;
  autorename?: boolean;
}

/** Why something cannot be written. */
export interface Refusal {
  reason: { ".tag": "malformed_path" } | { ".tag": "conflict"; conflict: { ".tag": "file" | "folder" } };
}

/** After every other file of the sandbox. */
const FIRST_HOUR = 5_000;

/** What an ID or a path stands for. */
export const find = ({ entries }: State, idOrPath: string) =>
  entries.find(
    (entry): entry is SandboxFile | SandboxFolder =>
      entry[".tag"] !== "deleted" && (entry.id === idOrPath || entry.path_lower === idOrPath.toLowerCase()),
  );

/** The path of a folder that exists from now on; undefined if it cannot. */
function makeFolder(state: State, path: string): string | undefined {
  if (path === "") return path;
  const existing = find(state, path);
  if (existing) return existing[".tag"] === "folder" ? existing.path_display : undefined;
  const slash = path.lastIndexOf("/");
  if (slash < 0) return undefined;
  const parent = makeFolder(state, path.slice(0, slash));
  if (parent === undefined) return undefined;
  const place = at(parent, path.slice(slash + 1));
  state.entries.push({ ".tag": "folder", id: `id:folder${countWritten(state)}_`.padEnd(25, "0"), ...place });
  return place.path_display;
}

/** `a.txt`, `a (1).txt`, `a (2).txt` … */
const numbered = (name: string, count: number) => (count === 0 ? name : name.replace(/(\.[^.]*)?$/, ` (${count})$1`));

/** Writes a file as `files/upload` does in the mode `add`. Missing folders are created. */
export function write(
  state: State,
  { path, autorename = false }: UploadArguments,
  content: Buffer,
): SandboxFile | Refusal {
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? undefined : makeFolder(state, path.slice(0, slash));
  const name = path.slice(slash + 1);
  if (folder === undefined || name === "") return { reason: { ".tag": "malformed_path" } };
  for (let count = 0; ; count++) {
    const place = at(folder, numbered(name, count));
    const existing = find(state, place.path_lower);
    if (existing?.[".tag"] === "file" && content.equals(Buffer.from(state.contents.get(existing.id) ?? "")))
      return existing;
    if (existing && !autorename) return { reason: { ".tag": "conflict", conflict: { ".tag": existing[".tag"] } } };
    if (existing) continue;
    const index = 1_000 + countWritten(state);
    const file: SandboxFile = {
      ".tag": "file",
      id: `id:new${index}_`.padEnd(25, "0"),
      ...place,
      client_modified: seconds(FIRST_HOUR + index),
      server_modified: seconds(FIRST_HOUR + index),
      rev: `02${index.toString(16).padStart(13, "0")}`,
      size: content.length,
      is_downloadable: true,
      content_hash: hash("sha256", content),
    };
    state.entries.push(file);
    keepContent(state.contents, file.id, content);
    return file;
  }
}
