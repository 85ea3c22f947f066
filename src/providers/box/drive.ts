import {
  type Answer,
  defined,
  drive,
  get,
  implement,
  list,
  one,
  ProviderFailure,
  path,
  quotedWords,
} from "../../provider-kit/index.ts";
import { customFields, fieldsFor } from "./custom-fields.ts";
import { type BoxItem, FIELDS, TOP, toFile } from "./records.ts";
import { writes } from "./writes.ts";

interface BoxPage {
  entries: BoxItem[];
  /** Only of a search, whose pages are counted. */
  total_count?: number;
  /** Empty or absent on the last page. */
  next_marker?: string | null;
}

/** Box allows 1,000. The cursor remembers the folders of a page that have not been read yet, and must not get too long. */
const PAGE_SIZE = 100;

/** Where a walk is: a page of a folder, and what is read after it: a folder, or `<folder> <marker>` for the rest of one. */
type BoxCursor = { folder: string; marker: string; pending: string[] };

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

/** https://developer.box.com/reference/get-search */
const MAX_OFFSET = 10_000;

/** The next page of a search, whose place is the number of items before it. */
export function nextFound({ entries, total_count = 0 }: BoxPage, cursor: BoxCursor): BoxCursor | null {
  const start = Number(cursor.marker) + entries.length;
  return entries.length > 0 && start < total_count && start <= MAX_OFFSET ? { ...cursor, marker: String(start) } : null;
}

export default implement(
  drive,
  {
    listFiles: list({
      maxPageSize: PAGE_SIZE,
      items: ({ entries }: BoxPage) => entries,
      filters: ["query"],
      next: ({ body }: Answer<BoxPage>, { input, cursor }): BoxCursor | null => {
        const here = (cursor as BoxCursor | undefined) ?? startOf(input);
        return input.query === undefined ? nextPage(body, here, input.folder_id === undefined) : nextFound(body, here);
      },
      // Neither bookmarks nor the trash. As items are dropped, every page is full: the order of a walk depends on its size.
      keep: (item, { input: { query, folder_id } }) =>
        item.type !== "web_link" &&
        isActive(item) &&
        // A search of a folder is also one of the folders in it.
        (query === undefined || folder_id === undefined || item.parent?.id === folder_id),
      request({ input, limit, cursor = startOf(input), select }) {
        const { folder, marker } = cursor;
        if (input.query !== undefined)
          return get(
            "/search",
            {},
            {
              query: quotedWords(input.query),
              ...defined({ ancestor_folder_ids: input.folder_id }),
              fields: FIELDS,
              offset: Number(marker),
              limit,
            },
          );
        // The fields are locked: without them a page could not tell files from bookmarks.
        const locked = {
          fields: fieldsFor(select),
          usemarker: true,
          marker: marker || undefined,
          offset: undefined,
          limit,
        };
        return get(path`/folders/${folder}/items`, {}, locked);
      },
      record: toFile,
    }),

    getFile: one({
      async load({ input, upstream, select }) {
        const read = async (kind: "files" | "folders") =>
          (await upstream<BoxItem>(get(path`/${kind}/${input.file_id}`, { fields: fieldsFor(select) }))).body;
        return read("files").catch((error: unknown) => {
          if (error instanceof ProviderFailure && error.status === 404) return read("folders");
          throw error;
        });
      },
      record: toFile,
    }),

    // The response is a redirect to a storage server. https://developer.box.com/guides/downloads/file
    downloadFile: { source: ({ input }) => ({ request: get(path`/files/${input.file_id}/content`) }) },

    ...writes,
  },
  { file: customFields },
);
