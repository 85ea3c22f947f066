import { type DriveFile, drive } from "../../categories/drive.ts";
import type { PageContext } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one, upload } from "../../provider-kit/implement.ts";
import { type GraphPage, nextPage, pageQuery } from "../../provider-kit/microsoft-graph.ts";
import type { LinkQuery } from "../../provider-kit/paging.ts";
import { fileRequest, get, path } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read; a missing one counts as null.
interface ItemReference {
  driveId?: string | null;
  id?: string | null;
  path?: string | null;
}
interface ItemFields {
  id?: string | null;
  name?: string | null;
  size?: number | null;
  webUrl?: string | null;
  createdDateTime?: string | null;
  lastModifiedDateTime?: string | null;
  file?: { mimeType?: string | null } | null;
  folder?: object | null;
  parentReference?: ItemReference | null;
}
export interface GraphItem extends ItemFields {
  id: string;
  root?: object | null;
  deleted?: object | null;
  /** Set if the item is in another drive, and was only added to this one. */
  remoteItem?: ItemFields | null;
}

/** Larger files need an upload in pieces. */
const MAX_UPLOAD = 250 * 1024 * 1024;

/** An item with what only the whole response says. */
interface ListedItem {
  item: GraphItem;
  rootId: string | undefined;
}

/** An item of another drive than the user's own can only be addressed together with its drive. */
function itemPath(id: string): string {
  const at = id.indexOf(":");
  return at < 0 ? path`/me/drive/items/${id}` : path`/drives/${id.slice(0, at)}/items/${id.slice(at + 1)}`;
}

/** A name as part of an address, which cannot have control characters. */
const namePath = (name: string): string => path`${name.replace(/\p{Cc}+/gu, " ")}`;

/** Of the drive that an id names, to put before the ids of what is found there. */
const prefixOf = (id: string | undefined): string => id?.match(/^[^:]*:/)?.[0] ?? "";

/** Responses other than the list of changes name the parent's path: `/drive/root:` or `/drives/<id>/root:`. */
const isRoot = ({ id, path: parentPath }: ItemReference, rootId: string | undefined): boolean =>
  (rootId !== undefined && id === rootId) || (parentPath?.endsWith("/root:") ?? false);

function idOf({ id, remoteItem }: GraphItem, prefix: string): string {
  const driveId = remoteItem?.parentReference?.driveId;
  return driveId && remoteItem.id ? `${driveId}:${remoteItem.id}` : `${prefix}${id}`;
}

function toFile(item: GraphItem, prefix: string, rootId?: string): DriveFile {
  const { parentReference: parent, remoteItem } = item;
  const { file, folder, size, webUrl, createdDateTime, lastModifiedDateTime } = remoteItem ?? item;
  return {
    id: idOf(item, prefix),
    name: item.name ?? remoteItem?.name ?? item.id,
    mime_type: file?.mimeType || null,
    // Of a folder, it is the sum of everything in it.
    size: folder ? null : (size ?? null),
    created_at: isoTime(createdDateTime ?? item.createdDateTime),
    updated_at: isoTime(lastModifiedDateTime ?? item.lastModifiedDateTime),
    url: webUrl || item.webUrl || null,
    is_folder: Boolean(folder),
    parent_id: !parent?.id || isRoot(parent, rootId) ? null : `${prefix}${parent.id}`,
  };
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
      return keepIf(body.value, ({ root, deleted }) => !root && !deleted).map((item) => ({ item, rootId }));
    },
    next: (answer: Answer<GraphPage<GraphItem>>, { cursor }: Paging): LinkQuery | null => {
      const token = tokenInPath(answer.body["@odata.nextLink"]);
      const next = token === undefined ? nextPage(answer) : { token: decodeURIComponent(token) };
      const root = rootIdOf(answer.body, cursor);
      return next && root !== undefined ? { ...next, root } : next;
    },
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
  // A file with the same name is never replaced: the new one gets another name, such as `Plan 1.docx`.
  // https://learn.microsoft.com/en-us/graph/api/driveitem-put-content
  uploadFile: upload({
    maxSize: MAX_UPLOAD,
    target: ({ input: { name, folder_id = "root" } }) => ({
      request: fileRequest("PUT", `${itemPath(folder_id)}:/${namePath(name)}:/content`, {
        "@microsoft.graph.conflictBehavior": "rename",
      }),
    }),
    record: (item: GraphItem, { input }) => toFile(item, prefixOf(input.folder_id)),
  }),
});
