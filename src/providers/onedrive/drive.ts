import {
  type Answer,
  bareWords,
  type Context,
  drive,
  type GraphPage,
  get,
  graphNextPage,
  graphPageQuery,
  type InputOf,
  implement,
  type LinkQuery,
  list,
  one,
  type PageContext,
  type Place,
  path,
} from "../../provider-kit/index.ts";
import { type GraphItem, idInDrive, itemPath, prefixOf, ROOT, toFile } from "./records.ts";
import { writes } from "./writes.ts";

/** An item with what only the whole response says. */
interface ListedItem {
  item: GraphItem;
  rootId: string | undefined;
}

/** The list of changes says which item is the root on its first page only: the cursor carries it. */
const rootIdOf = ({ value }: GraphPage<GraphItem>, cursor: LinkQuery | undefined): string | undefined =>
  value.find(({ root }) => root)?.id ?? (cursor?.root as string | undefined);

interface SearchedDrive extends Place {
  /** What a search finds does not say which items are at the top. */
  rootId?: string | undefined;
}

async function searchedDrive({ input, upstream }: Context<InputOf<typeof drive.operations.listFiles>>) {
  const { query, folder_id = ROOT } = input;
  const place: SearchedDrive = { id: "" };
  if (query !== undefined && folder_id === ROOT)
    place.rootId = (await upstream<GraphItem>(get("/me/drive/root", { $select: "id" }))).body.id;
  return [place];
}

type Paging = Pick<PageContext<unknown, LinkQuery>, "cursor"> & { place?: SearchedDrive };

/** `…/delta?token=abc`, or as documented `…/delta(token='abc')`. */
const tokenInPath = (link: string | undefined) => link?.match(/\/delta\(token=(?:'|%27)(.*?)(?:'|%27)\)/)?.[1];

export default implement(drive, {
  // Everything: the changes of the drive since its beginning, the only list of Graph that descends into folders.
  // https://learn.microsoft.com/en-us/graph/api/driveitem-delta
  // A folder: https://learn.microsoft.com/en-us/graph/api/driveitem-list-children
  // A search: https://learn.microsoft.com/en-us/graph/api/driveitem-search
  listFiles: list({
    maxPageSize: 200,
    filters: ["query"],
    places: searchedDrive,
    items: (body: GraphPage<GraphItem>, { cursor, place }: Paging): ListedItem[] => {
      const rootId = place?.rootId ?? rootIdOf(body, cursor);
      return body.value.map((item) => ({ item, rootId }));
    },
    next: (answer: Answer<GraphPage<GraphItem>>, { cursor }: Paging): LinkQuery | null => {
      const token = tokenInPath(answer.body["@odata.nextLink"]);
      const next = token === undefined ? graphNextPage(answer) : { token: decodeURIComponent(token) };
      const root = rootIdOf(answer.body, cursor);
      return next && root !== undefined ? { ...next, root } : next;
    },
    keep: ({ item: { root, deleted, parentReference }, rootId }, { input: { query, folder_id } }) =>
      !root &&
      !deleted &&
      // A search of a folder is also one of the folders in it.
      (query === undefined ||
        folder_id === undefined ||
        parentReference?.id === (folder_id === ROOT ? rootId : idInDrive(folder_id))),
    request: ({ input: { folder_id, query: text }, limit, cursor }) => {
      const { root: _, ...query } = cursor ?? {};
      const locked = { token: undefined, ...graphPageQuery({ limit, cursor: query }) };
      if (text !== undefined) {
        const from = folder_id === undefined || folder_id === ROOT ? "/me/drive/root" : itemPath(folder_id);
        return get(`${from}${path`/search(q='${bareWords(text)}')`}`, {}, locked);
      }
      return folder_id === undefined
        ? get("/me/drive/root/delta", {}, locked)
        : get(`${itemPath(folder_id)}/children`, {}, locked);
    },
    record: ({ item, rootId }, { input }) => toFile(item, prefixOf(input.folder_id), rootId),
    original: ({ item }) => item,
  }),
  // https://learn.microsoft.com/en-us/graph/api/driveitem-get
  getFile: one({
    request: ({ input }) => get(itemPath(input.file_id)),
    record: (item: GraphItem, { input }) => toFile(item, prefixOf(input.file_id)),
  }),
  // Redirects to an address that works without a token, whose response has the name and the type of the file.
  // https://learn.microsoft.com/en-us/graph/api/driveitem-get-content
  downloadFile: { source: ({ input }) => ({ request: get(`${itemPath(input.file_id)}/content`) }) },
  ...writes,
});
