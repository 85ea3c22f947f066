import { type DriveFile, isoTime, mimeTypeOf } from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface DropboxEntry {
  ".tag": "file" | "folder" | "deleted";
  /** Absent from a deleted entry. */
  id?: string;
  name: string;
  /** Both paths are null if the file is in a shared folder that the user has not added. */
  path_lower?: string | null;
  path_display?: string | null;
  size?: number;
  server_modified?: string;
  /** Absent means true. */
  is_downloadable?: boolean;
  export_info?: { export_as?: string | null } | null;
}

/** The ID or path that an API function expects: a path starts with a slash, except for the empty one of the top. */
export function toPath(idOrPath: string): string {
  if (idOrPath === "/") return "";
  return /^(\/|id:|rev:|ns:)/.test(idOrPath) ? idOrPath : `/${idOrPath}`;
}

/** Everything before the last slash; empty for what is at the top. */
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** The page of a folder, or of a file in its folder. */
function pageOf({ ".tag": tag, path_display }: DropboxEntry): string | null {
  if (!path_display) return null;
  const home = (path: string) => `https://www.dropbox.com/home${path.split("/").map(encodeURIComponent).join("/")}`;
  if (tag === "folder") return home(path_display);
  const name = path_display.slice(path_display.lastIndexOf("/") + 1);
  return `${home(folderOf(path_display))}?preview=${encodeURIComponent(name)}`;
}

export const toFile = (entry: DropboxEntry): DriveFile => {
  const isFolder = entry[".tag"] === "folder";
  return {
    id: entry.id ?? entry.path_lower ?? entry.name,
    name: entry.name,
    mime_type: isFolder ? null : mimeTypeOf(entry.name),
    size: entry.size ?? null,
    created_at: null,
    updated_at: isoTime(entry.server_modified),
    url: pageOf(entry),
    is_folder: isFolder,
    // An entry has the path of its folder, not the ID. Without its first slash a path can be part of our addresses.
    parent_id: folderOf(entry.path_lower ?? "").slice(1) || null,
  };
};
