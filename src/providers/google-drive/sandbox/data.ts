import { awkwardTexts, type Contents, customSample, hour, seeded, times } from "../../../emulator-kit/index.ts";

const FILES = 330;
/** Files in the first shared drive. */
const DRIVE_FILES = 60;
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const LARGE_FILE_BYTES = 8 * 1024 * 1024;

const google = (type: string) => `application/vnd.google-apps.${type}`;
export const FOLDER = google("folder");
export const SHORTCUT = google("shortcut");

const fileId = (index: number) => `1${seeded(index + 1).text(32, CHARACTERS)}`;
/** IDs of drives and of the folders at their top end with `ROOT` in Base64. */
const topId = (seed: number) => `0A${seeded(seed).text(11, CHARACTERS)}Uk9PVA`;

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
  properties?: Record<string, string>;
  appProperties?: Record<string, string>;
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

/** Properties that people or apps have added: all are texts, and empty ones do not exist. */
function ownProperties(index: number): Pick<File, "properties" | "appProperties"> {
  const { tier, note, score } = customSample(index);
  const properties = { ...(tier && { tier }), ...(note && { note }) };
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(score !== null && { appProperties: { score: String(score) } }),
  };
}

let sequence = 0;
/** Google's own formats have no size. */
export function newFile(name: string, mimeType: string, parent: string | undefined, more: Partial<File> = {}): File {
  const index = sequence++;
  const id = fileId(index);
  return {
    kind: "drive#file",
    id,
    name,
    mimeType,
    trashed: false,
    explicitlyTrashed: more.trashed ?? false,
    createdTime: hour(index).toISOString(),
    modifiedTime: hour(index * 7 + 3).toISOString(),
    webViewLink: `https://drive.google.com/file/d/${id}/view?usp=drivesdk`,
    ...(!mimeType.startsWith(google("")) && { size: String(contentOf({ name, id }).length) }),
    ...(parent && { parents: [parent] }),
    ...ownProperties(index),
    ...more,
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

/** Files of all types, each in a folder by its index. */
const manyFiles = (
  count: number,
  trashedEvery: number,
  parentOf: (index: number) => string | undefined,
  driveId?: string,
) =>
  times(count, (index) => {
    const [extension, mimeType] = TYPES[index % TYPES.length]!;
    const trashed = index % trashedEvery === trashedEvery - 1;
    const more = { trashed, ...(driveId && { driveId }) };
    return newFile(nameOf(index, extension), mimeType, parentOf(index), more);
  });

function myDrive(): File[] {
  const shortcutTo = (name: string, parent: string, targetId: string, targetMimeType: string) =>
    newFile(`Shortcut to ${name}`, SHORTCUT, parent, { shortcutDetails: { targetId, targetMimeType } });
  const first = newFile("Grüße.txt", "text/plain", ROOT);
  const projects = newFile("Projects", FOLDER, ROOT);
  const archive = newFile("日本語", FOLDER, projects.id);
  const trash = newFile("Old", FOLDER, ROOT, { trashed: true });
  // Somebody else's file, shared with the user, has no parent.
  const parents = [ROOT, projects.id, archive.id, undefined];
  const files = manyFiles(FILES, 25, (index) => parents[index % parents.length]);
  const sheet = files.find(({ mimeType }) => mimeType === google("spreadsheet"))!;
  return [
    first,
    projects,
    archive,
    newFile("Empty folder", FOLDER, ROOT),
    trash,
    // Trashed together with its folder.
    newFile("Old.txt", "text/plain", trash.id, { trashed: true, explicitlyTrashed: false }),
    newFile("Empty.txt", "text/plain", ROOT),
    newFile("Backup.bin", "application/octet-stream", ROOT),
    newFile("Too large to export", google("document"), ROOT),
    newFile("Report.DOCX", google("document"), ROOT),
    ...files,
    ...[first, projects].map(({ name, id, mimeType }) => shortcutTo(name, ROOT, id, mimeType)),
    shortcutTo(sheet.name, archive.id, sheet.id, sheet.mimeType),
    shortcutTo("a deleted file", ROOT, fileId(999_999), "text/plain"),
  ];
}

function sharedDrive(driveId: string, count: number): File[] {
  const folder = newFile("Campaigns", FOLDER, driveId, { driveId });
  return [folder, ...manyFiles(count, 20, (index) => (index % 3 === 0 ? driveId : folder.id), driveId)];
}

export function makeState(): State {
  sequence = 0;
  const own = myDrive();
  const marketing = sharedDrive(DRIVES[0]!.id, DRIVE_FILES);
  const second = sharedDrive(DRIVES[1]!.id, 4);
  const foreign = times(2, (index) =>
    newFile(`Guest ${index}.txt`, "text/plain", undefined, { driveId: FOREIGN_DRIVE }),
  );
  const opened = [...marketing.filter((_, index) => index % 7 === 0), ...foreign];
  return {
    // What was opened is among the user's own files, in the order of last use.
    files: [...own.slice(0, 100), ...marketing, ...own.slice(100), ...second, ...foreign],
    opened: new Set(opened.map(({ id }) => id)),
    uploaded: new Map(),
  };
}
