import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";
import type { Contents } from "../../../emulator-kit/file.ts";

const TOP_FILES = 60;
/** More than a page of a folder, so that listing one takes several calls. */
const DOCUMENTS = 230;
const DELETED = 12;
const SHARED_FILES = 40;

export interface Reference {
  driveType: "business";
  driveId: string;
  id: string;
  /** Not in the list of changes: renaming a folder does not change the items in it. */
  path?: string;
}

interface Facets {
  file?: { mimeType?: string; hashes?: { quickXorHash: string } };
  folder?: { childCount: number };
  package?: { type: "oneNote" };
}

export interface Item extends Facets {
  id: string;
  name?: string;
  size?: number;
  eTag?: string;
  webUrl?: string;
  createdDateTime?: string;
  lastModifiedDateTime?: string;
  parentReference: Reference | { driveType: "business"; driveId: string };
  root?: object;
  deleted?: { state: "deleted" };
  remoteItem?: Facets & {
    id: string;
    name: string;
    size: number;
    webUrl: string;
    createdDateTime: string;
    lastModifiedDateTime: string;
    parentReference: Reference;
  };
}

/** The user's own drive, and that of somebody who shared a folder and a file. */
const DRIVE = `b!${seeded(1).hex(64)}`;
const OTHER_DRIVE = `b!${seeded(2).hex(64)}`;

export const itemId = (seed: number) => `01${seeded(seed).hex(32).toUpperCase()}`;
const ROOT_ID = itemId(3);
const OTHER_ROOT_ID = itemId(4);
const urlOf = (name: string) =>
  `https://example-my.sharepoint.com/personal/person0/Documents/${encodeURIComponent(name)}`;

const root = (driveId: string, id: string): Item => ({
  id,
  name: "root",
  size: 0,
  webUrl: "https://example-my.sharepoint.com/personal/person0/Documents",
  createdDateTime: hour(0).toISOString(),
  lastModifiedDateTime: hour(9_000).toISOString(),
  root: {},
  folder: { childCount: 0 },
  parentReference: { driveType: "business", driveId },
});

/** A reference to the folder that something is in. */
function inside({ id, name, parentReference }: Item): Reference {
  const { driveId } = parentReference;
  const path = "path" in parentReference ? `${parentReference.path}/${name}` : `/drives/${driveId}/root:`;
  return { driveType: "business", driveId, id, path };
}

function folder(seed: number, name: string, parent: Item): Item {
  return {
    id: itemId(seed),
    name,
    size: 0,
    eTag: `"{${seed}},1"`,
    webUrl: urlOf(name),
    createdDateTime: hour(seed).toISOString(),
    lastModifiedDateTime: hour(seed + 40).toISOString(),
    folder: { childCount: 0 },
    parentReference: inside(parent),
  };
}

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
  const named = { id: itemId(seed), name: `${name}.${extension}` };
  const item: Item = {
    ...named,
    eTag: `"{${seed}},2"`,
    webUrl: urlOf(named.name),
    createdDateTime: hour(seed).toISOString(),
    // Times without milliseconds, as OneDrive for work or school sends them.
    lastModifiedDateTime: hour(seed + (seed % 9) * 30)
      .toISOString()
      .replace(".000", ""),
    file: { ...(mimeType && { mimeType }), hashes: { quickXorHash: seeded(seed).hex(28) } },
    parentReference: inside(parent),
  };
  return { ...item, size: Buffer.byteLength(contentOf(item)) };
}

/** A file that a client uploads. */
export function uploaded(seed: number, name: string, mimeType: string, content: Buffer, parent: Item): Item {
  const now = new Date().toISOString();
  const times = { createdDateTime: now, lastModifiedDateTime: now };
  return {
    ...file(seed, name, parent),
    ...times,
    name,
    webUrl: urlOf(name),
    size: content.length,
    file: { mimeType },
  };
}

/** What is left of a deleted item: neither name nor times. */
const deleted = (index: number, parent: Item): Item => {
  const { path: _, ...parentReference } = inside(parent);
  return { id: itemId(9_000 + index), deleted: { state: "deleted" }, file: {}, size: 0, parentReference };
};

/** A shared item that the user added to the own drive. Its facets are those of the item in the other drive. */
function shortcut(seed: number, target: Item, parent: Item): Item {
  return {
    id: itemId(seed),
    name: target.name!,
    webUrl: target.webUrl!,
    createdDateTime: hour(seed).toISOString(),
    lastModifiedDateTime: hour(seed).toISOString(),
    parentReference: inside(parent),
    remoteItem: {
      id: target.id,
      name: target.name!,
      size: target.size ?? 0,
      webUrl: target.webUrl!,
      createdDateTime: target.createdDateTime!,
      lastModifiedDateTime: target.lastModifiedDateTime!,
      ...(target.file && { file: target.file }),
      ...(target.folder && { folder: target.folder }),
      parentReference: target.parentReference as Reference,
    },
  };
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
  const childrenOf = (id: string) =>
    items.filter((one) => "id" in one.parentReference && one.parentReference.id === id);
  for (const item of items) {
    if (!item.folder) continue;
    const children = childrenOf(item.id).filter((one) => !one.deleted);
    item.folder.childCount = children.length;
    item.size = children.reduce((sum, one) => sum + (one.size ?? 0), 0);
  }
  return items;
}

function sharedItems(): Item[] {
  const top = root(OTHER_DRIVE, OTHER_ROOT_ID);
  const team = folder(7_000, "Shared with everyone – Grüße", top);
  const nested = folder(7_001, "Nested", team);
  const files = times(SHARED_FILES, (index) =>
    file(7_100 + index, `Shared ${index}`, index % 10 === 9 ? nested : team),
  );
  return withCounts([top, team, nested, ...files, file(7_200, "Price list", top)]);
}

export function makeState(): State {
  const others = sharedItems();
  const top = root(DRIVE, ROOT_ID);
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
    drives: new Map([
      [DRIVE, withCounts(items)],
      [OTHER_DRIVE, others],
    ]),
  };
}
