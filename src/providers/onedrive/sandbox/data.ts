import { awkwardTexts, type Contents, hour, seeded, times, toSecond } from "../../../emulator-kit/index.ts";

const TOP_FILES = 60;
/** More than a page of a folder, so that listing one takes several calls. */
const DOCUMENTS = 230;
const DELETED = 12;
const SHARED_FILES = 40;

export interface Item {
  id: string;
  name?: string;
  size?: number;
  eTag?: string;
  webUrl?: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  /** Without an ID at the top. The list of changes has no paths: renaming a folder does not change the items in it. */
  parentReference: { driveType: "business"; driveId: string; id?: string; path?: string };
  root?: object;
  file?: { mimeType?: string };
  folder?: { childCount: number };
  package?: { type: "oneNote" };
  deleted?: { state: "deleted" };
  /** The item in another drive that this one stands for. */
  remoteItem?: Item;
}

/** The user's own drive, and that of somebody who shared a folder and a file. */
const DRIVE = `b!${seeded(1).hex(64)}`;
const OTHER_DRIVE = `b!${seeded(2).hex(64)}`;
const HOST = "https://example-my.sharepoint.com/personal/person0/Documents";

export const itemId = (seed: number) => `01${seeded(seed).hex(32).toUpperCase()}`;

const root = (driveId: string, id: string): Item => ({
  id,
  name: "root",
  size: 0,
  webUrl: HOST,
  createdDateTime: hour(0).toISOString(),
  lastModifiedDateTime: hour(9_000).toISOString(),
  root: {},
  folder: { childCount: 0 },
  parentReference: { driveType: "business", driveId },
});

/** An item in a folder. */
function item(seed: number, name: string, { parentReference, ...parent }: Item) {
  const { driveId, path } = parentReference;
  return {
    id: itemId(seed),
    name,
    size: 0,
    webUrl: `${HOST}/${encodeURIComponent(name)}`,
    createdDateTime: hour(seed).toISOString(),
    lastModifiedDateTime: hour(seed + 40).toISOString(),
    parentReference: {
      driveType: "business" as const,
      driveId,
      id: parent.id,
      path: path ? `${path}/${parent.name}` : `/drives/${driveId}/root:`,
    },
  };
}

const folder = (seed: number, name: string, parent: Item): Item => ({
  ...item(seed, name, parent),
  folder: { childCount: 0 },
});

const KINDS = [
  ["txt", "text/plain"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["pdf", "application/pdf"],
  ["jpg", "image/jpeg"],
  // A type that is not known.
  ["xyz", undefined],
] as const;

export const contentOf = ({ id, name }: Item): string =>
  name?.startsWith("Empty") ? "" : `${name} (${id})\nGrüße 👋\n`;

function file(seed: number, name: string, parent: Item): Item {
  const [extension, mimeType] = KINDS[seed % KINDS.length]!;
  const made = item(seed, `${name}.${extension}`, parent);
  return {
    ...made,
    eTag: `"{${seed}},2"`,
    size: Buffer.byteLength(contentOf(made)),
    // Times without milliseconds, as OneDrive for work or school sends them.
    lastModifiedDateTime: toSecond(hour(seed + (seed % 9) * 30)),
    file: { ...(mimeType && { mimeType }) },
  };
}

/** A file that a client uploads. */
export function uploaded(seed: number, name: string, mimeType: string, content: Buffer, parent: Item): Item {
  const now = new Date().toISOString();
  const times = { createdDateTime: now, lastModifiedDateTime: now };
  return { ...item(seed, name, parent), ...times, eTag: `"{${seed}},2"`, size: content.length, file: { mimeType } };
}

/** What is left of a deleted item: neither name nor times. */
function deleted(index: number, parent: Item): Item {
  const { path: _, ...parentReference } = item(0, "", parent).parentReference;
  return { id: itemId(9_000 + index), deleted: { state: "deleted" }, file: {}, size: 0, parentReference };
}

/** A shared item that the user added to the own drive. Its facets are those of the item in the other drive. */
function shortcut(seed: number, { eTag: _, ...remoteItem }: Item, parent: Item): Item {
  const { size: __, ...made } = item(seed, remoteItem.name!, parent);
  return { ...made, lastModifiedDateTime: made.createdDateTime, remoteItem };
}

export interface State {
  /** By id, then its items in the order in which the list of changes has them. */
  drives: Map<string, Item[]>;
  ownDrive: string;
  /** Of files that clients uploaded, by id. */
  contents: Contents;
}

/** Counts the children of each folder and adds up their sizes. */
function withCounts(items: Item[]): Item[] {
  for (const item of items) {
    if (!item.folder) continue;
    const children = items.filter((one) => one.parentReference.id === item.id && !one.deleted);
    item.folder.childCount = children.length;
    item.size = children.reduce((sum, one) => sum + (one.size ?? 0), 0);
  }
  return items;
}

function sharedItems(): Item[] {
  const top = root(OTHER_DRIVE, itemId(4));
  const team = folder(7_000, "Shared with everyone – Grüße", top);
  const nested = folder(7_001, "Nested", team);
  const files = times(SHARED_FILES, (index) =>
    file(7_100 + index, `Shared ${index}`, index % 10 === 9 ? nested : team),
  );
  return withCounts([top, team, nested, ...files, file(7_200, "Price list", top)]);
}

export function makeState(): State {
  const others = sharedItems();
  const top = root(DRIVE, itemId(3));
  const documents = folder(100, "Documents", top);
  const nested = folder(101, "日本語のフォルダ", documents);
  const empty = folder(102, "Empty folder", top);
  const { folder: _, ...notFolder } = folder(103, "Notes & <ideas>", top);
  const notebook: Item = { ...notFolder, package: { type: "oneNote" } };
  const topFiles = times(TOP_FILES, (index) =>
    file(1_000 + index, index % 7 === 2 ? awkwardTexts[index % awkwardTexts.length]! : `File ${index}`, top),
  );
  const inDocuments = times(DOCUMENTS, (index) =>
    file(2_000 + index, index % 50 === 7 ? "Empty file" : `Report ${index}`, index % 20 === 19 ? nested : documents),
  );
  const [first, ...rest] = inDocuments;
  const removed = times(DELETED, (index) => deleted(index, index % 2 ? documents : top));
  const shared = [others[1]!, others.at(-1)!].map((target, index) => shortcut(8_000 + index, target, top));
  const items = [
    top,
    // Graph promises no order: a file may come before its folder.
    first!,
    documents,
    nested,
    ...removed.slice(0, 5),
    ...rest,
    empty,
    notebook,
    ...shared,
    ...topFiles,
    ...removed.slice(5),
  ];
  return {
    ownDrive: DRIVE,
    contents: new Map(),
    drives: new Map(Object.entries({ [DRIVE]: withCounts(items), [OTHER_DRIVE]: others })),
  };
}
