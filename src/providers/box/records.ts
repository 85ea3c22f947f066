import { type DriveFile, isoTime, mimeTypeOf } from "../../provider-kit/index.ts";

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

/** By default an item has only its ID, type and name. */
export const FIELDS = "id,type,name,size,created_at,modified_at,parent,item_status";
export const TOP = "0";

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
