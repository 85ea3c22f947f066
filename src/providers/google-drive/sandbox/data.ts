import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";
import type { Contents } from "../../../emulator-kit/file.ts";

const FILES = 330;
/** Files in the first shared drive. */
const DRIVE_FILES = 60;
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LARGE_FILE_BYTES = 8 * 1024 * 1024;

const google = (type: string) => `application/vnd.google-apps.${type}`;
export const FOLDER = google("folder");
export const SHORTCUT = google("shortcut");

function newId(prefix: string, length: number, seed: number): string {
  const random = seeded(seed);
  return prefix + times(length, () => CHARACTERS[random.int(64)]).join("");
}
const fileId = (seed: number) => newId("1", 32, seed + 1);
/** IDs of drives and of the folders at their top end with `ROOT` in Base64. */
const topId = (seed: number) => `${newId("0A", 11, seed)}Uk9PVA`;

export const ROOT = topId(9001);
export const DRIVES = [
  { id: topId(9002), name: "Marketing" },
  { id: topId(9003), name: "Grüße 🏳️‍🌈" },
  { id: topId(9004), name: "Empty drive" },
];
/** A shared drive that the user is not a member of. */
const FOREIGN_DRIVE = topId(9005);

export const ME = {
  kind: "drive#user",
  displayName: "Ada Lovelace",
  photoLink: "https://lh3.googleusercontent.com/a/sandbox=s64",
  me: true,
  permissionId: "10000000001234567890",
  emailAddress: "ada@example.com",
};

export interface File {
  kind: "drive#file";
  id: string;
  name: string;
  mimeType: string;
  trashed: boolean;
  explicitlyTrashed: boolean;
  createdTime: string;
  modifiedTime: string;
  webViewLink: string;
  parents?: string[];
  driveId?: string;
  size?: string;
  shortcutDetails?: { targetId: string; targetMimeType: string };
}

export interface State {
  /** In the order of a list. */
  files: File[];
  /** Files of shared drives that the user has opened: the user's own list has them as well. */
  opened: Set<string>;
  /** What was uploaded, by the ID of the file. */
  uploaded: Contents;
}

interface NewFile extends Partial<File> {
  name: string;
  mimeType: string;
}

let sequence = 0;
function newFile({ trashed = false, ...given }: NewFile): File {
  const index = sequence++;
  const id = fileId(index);
  return {
    kind: "drive#file",
    id,
    trashed,
    explicitlyTrashed: trashed,
    createdTime: hour(index).toISOString(),
    modifiedTime: hour(index * 7 + 3).toISOString(),
    webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
    ...(given.mimeType.startsWith(google("")) ? {} : { size: String(contentOf({ ...given, id }).length) }),
    ...given,
  };
}

const TYPES = [
  ["txt", "text/plain"],
  ["pdf", "application/pdf"],
  ["", google("document")],
  ["", google("spreadsheet")],
  ["", google("presentation")],
  ["png", "image/png"],
  ["csv", "text/csv"],
  ["", google("drawing")],
  ["", google("form")],
  ["", google("script")],
] as const;

function nameOf(index: number, extension: string): string {
  const name = index % 6 === 0 ? awkwardTexts[(index / 6) % awkwardTexts.length]! : `File ${index}`;
  return extension ? `${name}.${extension}` : name;
}

/** The bytes of a file. ASCII only, so that a range of bytes is a range of characters. */
export function contentOf({ name, id }: Pick<File, "name" | "id">): string {
  if (name === "Empty.txt") return "";
  if (name === "Backup.bin") return "0123456789abcdef".repeat(LARGE_FILE_BYTES / 16);
  return times(3, (line) => `${id} line ${line}\r\n`).join("");
}

/** A file that a client uploads; `parent` is a folder, or the top of a drive. */
export function uploadedFile(
  name: string,
  mimeType: string,
  content: Buffer,
  parent: File | undefined,
  top: string,
): File {
  const now = new Date().toISOString();
  const driveId = parent ? parent.driveId : top === ROOT ? undefined : top;
  const size = String(content.length);
  const given = { name, mimeType, size, parents: [parent?.id ?? top], createdTime: now, modifiedTime: now };
  return newFile({ ...given, ...(driveId ? { driveId } : {}) });
}

const shortcutTo = (target: File, parent: string) =>
  newFile({
    name: `Shortcut to ${target.name}`,
    mimeType: SHORTCUT,
    parents: [parent],
    shortcutDetails: { targetId: target.id, targetMimeType: target.mimeType },
  });

function myDrive(): File[] {
  const first = newFile({ name: "Grüße.txt", mimeType: "text/plain", parents: [ROOT] });
  const folder = (name: string, parent: string, more: Partial<File> = {}) =>
    newFile({ name, mimeType: FOLDER, parents: [parent], ...more });
  const projects = folder("Projects", ROOT);
  const archive = folder("日本語", projects.id);
  const trash = folder("Old", ROOT, { trashed: true });
  const parents = [[ROOT], [projects.id], [archive.id], undefined];
  const files = times(FILES, (index) => {
    const [extension, mimeType] = TYPES[index % TYPES.length]!;
    const parent = parents[index % parents.length];
    return newFile({
      name: nameOf(index, extension),
      mimeType,
      // Somebody else's file, shared with the user, has no parent.
      ...(parent ? { parents: parent } : {}),
      trashed: index % 25 === 24,
    });
  });
  return [
    first,
    projects,
    archive,
    folder("Empty folder", ROOT),
    trash,
    // Trashed together with its folder.
    newFile({ name: "Old.txt", mimeType: "text/plain", parents: [trash.id], trashed: true, explicitlyTrashed: false }),
    newFile({ name: "Empty.txt", mimeType: "text/plain", parents: [ROOT] }),
    newFile({ name: "Backup.bin", mimeType: "application/octet-stream", parents: [ROOT] }),
    newFile({ name: "Too large to export", mimeType: google("document"), parents: [ROOT] }),
    newFile({ name: "Report.DOCX", mimeType: google("document"), parents: [ROOT] }),
    ...files,
    shortcutTo(first, ROOT),
    shortcutTo(projects, ROOT),
    shortcutTo(files.find(({ mimeType }) => mimeType === google("spreadsheet"))!, archive.id),
    newFile({
      name: "Shortcut to a deleted file",
      mimeType: SHORTCUT,
      parents: [ROOT],
      shortcutDetails: { targetId: fileId(999_999), targetMimeType: "text/plain" },
    }),
  ];
}

function sharedDrive(driveId: string, count: number): File[] {
  const folder = newFile({ name: "Campaigns", mimeType: FOLDER, parents: [driveId], driveId });
  const files = times(count, (index) => {
    const [extension, mimeType] = TYPES[index % TYPES.length]!;
    const parents = [index % 3 === 0 ? driveId : folder.id];
    return newFile({ name: nameOf(index, extension), mimeType, parents, driveId, trashed: index % 20 === 19 });
  });
  return [folder, ...files];
}

export function makeState(): State {
  sequence = 0;
  const own = myDrive();
  const marketing = sharedDrive(DRIVES[0]!.id, DRIVE_FILES);
  const second = sharedDrive(DRIVES[1]!.id, 4);
  const foreign = times(2, (index) =>
    newFile({ name: `Guest ${index}.txt`, mimeType: "text/plain", driveId: FOREIGN_DRIVE }),
  );
  const opened = [...marketing.filter((_, index) => index % 7 === 0), ...foreign];
  return {
    // What was opened is among the user's own files, in the order of last use.
    files: [...own.slice(0, 100), ...marketing, ...own.slice(100), ...second, ...foreign],
    opened: new Set(opened.map(({ id }) => id)),
    uploaded: new Map(),
  };
}
