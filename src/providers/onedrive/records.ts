import { type DriveFile, isoTime, orNull, path } from "../../provider-kit/index.ts";

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

/** An item of another drive than the user's own can only be addressed together with its drive. */
export function itemPath(id: string): string {
  const at = id.indexOf(":");
  return at < 0 ? path`/me/drive/items/${id}` : path`/drives/${id.slice(0, at)}/items/${idInDrive(id)}`;
}

/** What the top of a drive can be called. */
export const ROOT = "root";

/** Without the drive. */
export const idInDrive = (id: string): string => id.slice(id.indexOf(":") + 1);

/** Of the drive that an id names, to put before the ids of what is found there. */
export const prefixOf = (id: string | undefined): string => id?.match(/^[^:]*:/)?.[0] ?? "";

/** Responses other than the list of changes name the parent's path: `/drive/root:` or `/drives/<id>/root:`. */
const isRoot = ({ id, path: parentPath }: ItemReference, rootId: string | undefined): boolean =>
  (rootId !== undefined && id === rootId) || (parentPath?.endsWith("/root:") ?? false);

function idOf({ id, remoteItem }: GraphItem, prefix: string): string {
  const driveId = remoteItem?.parentReference?.driveId;
  return driveId && remoteItem.id ? `${driveId}:${remoteItem.id}` : `${prefix}${id}`;
}

export function toFile(item: GraphItem, prefix: string, rootId?: string): DriveFile {
  const { parentReference: parent, remoteItem } = item;
  const { file, folder, size, webUrl, createdDateTime, lastModifiedDateTime } = remoteItem ?? item;
  return {
    id: idOf(item, prefix),
    name: item.name ?? remoteItem?.name ?? item.id,
    mime_type: orNull(file?.mimeType),
    // Of a folder, it is the sum of everything in it.
    size: folder ? null : (size ?? null),
    created_at: isoTime(createdDateTime ?? item.createdDateTime),
    updated_at: isoTime(lastModifiedDateTime ?? item.lastModifiedDateTime),
    url: orNull(webUrl, item.webUrl),
    is_folder: Boolean(folder),
    parent_id: !parent?.id || isRoot(parent, rootId) ? null : `${prefix}${parent.id}`,
  };
}
