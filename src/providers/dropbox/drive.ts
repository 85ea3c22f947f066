import {
  type Answer,
  type DownloadSource,
  drive,
  implement,
  invalidInput,
  list,
  mimeTypeOf,
  one,
  type Query,
  search,
} from "../../provider-kit/index.ts";
import { type DropboxEntry, toFile, toPath } from "./records.ts";
import { getContent } from "./requests.ts";
import { writes } from "./writes.ts";

interface DropboxPage {
  entries?: DropboxEntry[];
  /** What a search found. */
  matches?: { metadata: { metadata: DropboxEntry } }[];
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

const MAX_FOUND = 1000;

/** https://www.dropbox.com/developers/documentation/http/documentation#files-search */
function searchRequest(query: string, folder: string | undefined, limit: number, cursor: string | undefined) {
  if (folder !== undefined)
    throw invalidInput({
      path: ["query", "folder_id"],
      message: "must be left out with `query`: Dropbox cannot search a folder without those in it",
    });
  return cursor === undefined
    ? search("/files/search_v2", {}, { query, options: { max_results: Math.min(limit, MAX_FOUND) } })
    : search("/files/search/continue_v2", {}, { ...NOT_CONTINUED, query: undefined, options: undefined, cursor });
}

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
    filters: ["query"],
    items: ({ entries, matches }: DropboxPage) => entries ?? matches!.map(({ metadata }) => metadata.metadata),
    // There is always a cursor: after the end it leads to later changes.
    next: ({ body }: Answer<DropboxPage>) => (body.has_more ? body.cursor : null),
    // What was deleted while the list is being read comes as an entry of its own.
    keep: (entry) => entry[".tag"] !== "deleted",
    request: ({ input, limit, cursor }) => {
      if (input.query !== undefined) return searchRequest(input.query, input.folder_id, limit, cursor);
      return cursor === undefined
        ? search(
            "/files/list_folder",
            {},
            { path: toPath(input.folder_id ?? "/"), recursive: input.folder_id === undefined, limit },
          )
        : search("/files/list_folder/continue", {}, { ...NOT_CONTINUED, cursor });
    },
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

  ...writes,
});
