import { type DriveFile, drive } from "../../categories/drive.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one, upload } from "../../provider-kit/implement.ts";
import { mimeTypeOf } from "../../provider-kit/mime-type.ts";
import { fileRequest, get, path } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are requested below.
export interface BoxItem {
  type: "file" | "folder" | "web_link";
  id: string;
  name?: string;
  size?: number | null;
  created_at?: string | null;
  modified_at?: string | null;
  /** Null for the top folder itself, and if the user has no access to the folder. */
  parent?: { id: string } | null;
  item_status?: "active" | "trashed" | "deleted";
}
export interface BoxPage {
  entries: BoxItem[];
  /** Empty or absent on the last page. */
  next_marker?: string | null;
}

/** By default an item has only its ID, type and name. */
const FIELDS = "id,type,name,size,created_at,modified_at,parent,item_status";
const TOP = "0";

/** Box allows 1,000. The cursor remembers the folders of a page that have not been read yet, and must not get too long. */
const PAGE_SIZE = 100;

/** Where a walk is: a page of a folder, and what is read after it: a folder, or `<folder> <marker>` for the rest of one. */
export type BoxCursor = { folder: string; marker: string; pending: string[] };

const isActive = ({ item_status = "active" }: BoxItem) => item_status === "active";

/**
 * There is no list of everything: a search needs words and ends after 10,000 results. So the folders of each page are
 * read before the rest of their parent, which keeps the number of pending ones small.
 * https://developer.box.com/reference/get-folders-id-items
 */
export function nextPage(body: BoxPage, { folder, pending }: Omit<BoxCursor, "marker">, deep: boolean) {
  const { entries, next_marker: marker } = body;
  const folders = deep ? entries.filter((item) => item.type === "folder" && isActive(item)).map(({ id }) => id) : [];
  const [first, ...rest] = [...folders, ...(marker ? [`${folder} ${marker}`] : []), ...pending];
  if (first === undefined) return null;
  const [next = "", at = ""] = first.split(" ");
  return { folder: next, marker: at, pending: rest };
}

const startOf = ({ folder_id = TOP }: { folder_id?: string | undefined }): BoxCursor => ({
  folder: folder_id,
  marker: "",
  pending: [],
});

export const toFile = (item: BoxItem): DriveFile => {
  const isFolder = item.type === "folder";
  const name = item.name ?? "";
  return {
    id: item.id,
    name,
    mime_type: isFolder ? null : mimeTypeOf(name),
    // That of a folder is the sum of what is in it.
    size: isFolder ? null : (item.size ?? null),
    created_at: isoTime(item.created_at),
    updated_at: isoTime(item.modified_at),
    url: `https://app.box.com/${isFolder ? "folder" : "file"}/${item.id}`,
    is_folder: isFolder,
    parent_id: item.parent && item.parent.id !== TOP ? item.parent.id : null,
  };
};

/** The parts around a file. What it is has to come before the file itself. */
function uploadForm(boundary: string, attributes: { name: string; parent: { id: string } }, type: string) {
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    before: [
      `${part('name="attributes"')}\r\n${JSON.stringify(attributes)}\r\n`,
      // Its name is in the attributes.
      `${part('name="file"; filename="file"')}Content-Type: ${type}\r\n\r\n`,
    ].join(""),
    after: `\r\n--${boundary}--\r\n`,
  };
}

export default implement(drive, {
  listFiles: list({
    maxPageSize: PAGE_SIZE,
    // Bookmarks are dropped. Besides, the order of a walk depends on the size of its pages.
    sparse: true,
    items: ({ entries }: BoxPage) => keepIf(entries, (item) => item.type !== "web_link" && isActive(item)),
    next: ({ body }: Answer<BoxPage>, { input, cursor }): BoxCursor | null =>
      nextPage(body, (cursor as BoxCursor | undefined) ?? startOf(input), input.folder_id === undefined),
    request({ input, limit, cursor = startOf(input) }) {
      const { folder, marker } = cursor;
      // The fields are locked: without them a page could not tell files from bookmarks.
      const locked = { fields: FIELDS, usemarker: true, marker: marker || undefined, offset: undefined, limit };
      return get(path`/folders/${folder}/items`, {}, locked);
    },
    record: toFile,
  }),

  getFile: one({
    async load({ input, upstream }) {
      const read = async (kind: "files" | "folders") =>
        (await upstream<BoxItem>(get(path`/${kind}/${input.file_id}`, { fields: FIELDS }))).body;
      return read("files").catch((error: unknown) => {
        if (error instanceof ProviderFailure && error.status === 404) return read("folders");
        throw error;
      });
    },
    record: toFile,
  }),

  // The response is a redirect to a storage server. https://developer.box.com/guides/downloads/file
  downloadFile: { source: ({ input }) => ({ request: get(path`/files/${input.file_id}/content`) }) },

  // https://developer.box.com/reference/post-files-content
  uploadFile: upload({
    target: ({ input: { name, folder_id = TOP }, writeKey }, { contentType }) => ({
      request: fileRequest("POST", "/files/content", { fields: FIELDS }, { to: "upload" }),
      ...uploadForm(`part-${writeKey}`, { name, parent: { id: folder_id } }, contentType),
    }),
    record: ({ entries: [file] }: { entries: [BoxItem] }) => toFile(file),
  }),
});
