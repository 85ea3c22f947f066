import { drive } from "../../categories/drive.ts";
import type { PageContext } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { type GraphPage, nextPage, pageQuery } from "../../provider-kit/microsoft-graph.ts";
import type { LinkQuery } from "../../provider-kit/paging.ts";
import { get } from "../../provider-kit/request.ts";
import { type GraphItem, itemPath, prefixOf, toFile } from "./records.ts";
import { writes } from "./writes.ts";

/** An item with what only the whole response says. */
interface ListedItem {
  item: GraphItem;
  rootId: string | undefined;
}

/** The list of changes says which item is the root on its first page only: the cursor carries it. */
const rootIdOf = ({ value }: GraphPage<GraphItem>, cursor: LinkQuery | undefined): string | undefined =>
  value.find(({ root }) => root)?.id ?? (cursor?.root as string | undefined);

type Paging = Pick<PageContext<unknown, LinkQuery>, "cursor">;

/** `…/delta?token=abc`, or as documented `…/delta(token='abc')`. */
const tokenInPath = (link: string | undefined) => link?.match(/\/delta\(token=(?:'|%27)(.*?)(?:'|%27)\)/)?.[1];

export default implement(drive, {
  // Everything: the changes of the drive since its beginning, the only list of Graph that descends into folders.
  // https://learn.microsoft.com/en-us/graph/api/driveitem-delta
  // A folder: https://learn.microsoft.com/en-us/graph/api/driveitem-list-children
  listFiles: list({
    maxPageSize: 200,
    items: (body: GraphPage<GraphItem>, { cursor }: Paging): ListedItem[] => {
      const rootId = rootIdOf(body, cursor);
      return body.value.map((item) => ({ item, rootId }));
    },
    next: (answer: Answer<GraphPage<GraphItem>>, { cursor }: Paging): LinkQuery | null => {
      const token = tokenInPath(answer.body["@odata.nextLink"]);
      const next = token === undefined ? nextPage(answer) : { token: decodeURIComponent(token) };
      const root = rootIdOf(answer.body, cursor);
      return next && root !== undefined ? { ...next, root } : next;
    },
    keep: ({ item: { root, deleted } }) => !root && !deleted,
    request: ({ input: { folder_id }, limit, cursor }) => {
      const { root: _, ...query } = cursor ?? {};
      const locked = { token: undefined, ...pageQuery({ limit, cursor: query }) };
      return folder_id === undefined
        ? get("/me/drive/root/delta", {}, locked)
        : get(`${itemPath(folder_id)}/children`, {}, locked);
    },
    record: ({ item, rootId }, { input }) => toFile(item, prefixOf(input.folder_id), rootId),
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
