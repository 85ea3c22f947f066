import { type DriveFile, isoTime, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read here. Google leaves empty fields out of a response.
export interface GoogleFile {
  id: string;
  name?: string;
  mimeType?: string;
  /** A number as text. Folders, shortcuts and most Google documents have none. */
  size?: string;
  createdTime?: string;
  modifiedTime?: string;
  webViewLink?: string;
  /** At most one. A file that somebody else shared may have none. */
  parents?: string[];
  driveId?: string;
}

const FOLDER = "application/vnd.google-apps.folder";
export const FIELDS = "id,name,mimeType,size,createdTime,modifiedTime,webViewLink,parents,driveId";

/** Without these, Google pretends that shared drives do not exist. */
export const FIND_EVERYWHERE = { supportsAllDrives: true };

/** The folder at the top of a drive has an ID that ends with `ROOT` in Base64. That of a shared drive is the drive's. */
const isTop = (folder: string, driveId: string | undefined) => folder === driveId || /^0A.*Uk9PVA$/.test(folder);

export function toFile(file: GoogleFile): DriveFile {
  const isFolder = file.mimeType === FOLDER;
  const parent = file.parents?.[0];
  return {
    id: file.id,
    name: file.name || file.id,
    mime_type: isFolder ? null : orNull(file.mimeType),
    size: file.size === undefined ? null : Number(file.size),
    created_at: isoTime(file.createdTime),
    updated_at: isoTime(file.modifiedTime),
    url: orNull(file.webViewLink),
    is_folder: isFolder,
    parent_id: parent === undefined || isTop(parent, file.driveId) ? null : parent,
  };
}
