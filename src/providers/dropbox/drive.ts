import { type DriveFile, drive } from "../../categories/drive.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { DownloadSource } from "../../contracts/provider.ts";
import type { Answer, Query } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one, upload } from "../../provider-kit/implement.ts";
import { mimeTypeOf } from "../../provider-kit/mime-type.ts";
import { search } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";
import { getContent, postContent } from "./requests.ts";

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
interface DropboxPage {
  entries: DropboxEntry[];
  cursor: string;
  has_more: boolean;
}

/** Every argument of `list_folder`: its continuation has none of them, and refuses any that it does not know. */
const NOT_CONTINUED: Query = {
  path: undefined,
  recursive: undefined,
  limit: undefined,
  include_media_info: undefined,
  include_deleted: undefined,
  include_has_explicit_shared_members: undefined,
  include_mounted_folders: undefined,
  include_non_downloadable_files: undefined,
  include_property_groups: undefined,
  include_restorable_info: undefined,
  shared_link: undefined,
};

/** The ID or path that an API function expects: a path starts with a slash, except for the empty one of the top. */
function toPath(idOrPath: string): string {
  if (idOrPath === "/") return "";
  return /^(\/|id:|rev:|ns:)/.test(idOrPath) ? idOrPath : `/${idOrPath}`;
}

/** Larger files need an upload in pieces. */
const MAX_UPLOAD = 150 * 1024 * 1024;

/** Where a new file goes: a path, or one relative to the ID of a folder. */
function newPath(name: string, folder: string): string {
  if (!name.includes("/")) return `${toPath(folder)}/${name}`;
  throw invalidInput({ path: ["query", "name"], message: "must not contain a slash: pass the folder as `folder_id`" });
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

/** Names of export formats that are not extensions themselves. */
const EXTENSIONS: Readonly<Record<string, string>> = { markdown: "md", plain_text: "txt" };

/** The name of an exported file: `Notes.paper` becomes `Notes.md`. */
function exportedName(name: string, format: string | null | undefined): string {
  if (!format) return name;
  return `${name.replace(/(?<=.)\.[^.]*$/, "")}.${EXTENSIONS[format] ?? format}`;
}

/** A file's bytes, or its export if it has none of its own. */
export function sourceOf(id: string, entry: DropboxEntry): DownloadSource {
  const { name, is_downloadable = true, export_info } = entry;
  const fileName = is_downloadable ? name : exportedName(name, export_info?.export_as);
  return {
    request: getContent(is_downloadable ? "/files/download" : "/files/export", { path: toPath(id) }),
    fileName,
    // Every response has the type application/octet-stream.
    contentType: mimeTypeOf(fileName),
  };
}

const getMetadata = (id: string) => search("/files/get_metadata", {}, { path: toPath(id) });

export default implement(drive, {
  // https://www.dropbox.com/developers/documentation/http/documentation#files-list_folder
  listFiles: list({
    maxPageSize: 2000,
    // What was deleted while the list is being read comes as an entry of its own.
    items: ({ entries }: DropboxPage) => keepIf(entries, (entry) => entry[".tag"] !== "deleted"),
    // There is always a cursor: after the end it leads to later changes.
    next: ({ body }: Answer<DropboxPage>) => (body.has_more ? body.cursor : null),
    request: ({ input, limit, cursor }) =>
      cursor === undefined
        ? search(
            "/files/list_folder",
            {},
            { path: toPath(input.folder_id ?? "/"), recursive: input.folder_id === undefined, limit },
          )
        : search("/files/list_folder/continue", {}, { ...NOT_CONTINUED, cursor }),
    record: toFile,
  }),

  getFile: one({
    request: ({ input }) => getMetadata(input.file_id),
    record: toFile,
  }),

  downloadFile: {
    async source({ input, upstream }) {
      const { body } = await upstream<DropboxEntry>(getMetadata(input.file_id));
      return sourceOf(input.file_id, body);
    },
  },

  // https://www.dropbox.com/developers/documentation/http/documentation#files-upload
  uploadFile: upload({
    maxSize: MAX_UPLOAD,
    target: ({ input: { name, folder_id = "/" } }) => ({
      // An existing file stays as it is. The same content is not written again, and other content gets another name.
      request: postContent("/files/upload", { path: newPath(name, folder_id), mode: "add", autorename: true }),
      // No other type is accepted.
      contentType: "application/octet-stream",
    }),
    record: (file: Omit<DropboxEntry, ".tag">) => toFile({ ...file, ".tag": "file" }),
  }),
});
