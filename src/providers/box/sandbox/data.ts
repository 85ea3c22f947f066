import { awkwardTexts, type Contents, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { type Metadata, ownMetadata } from "./metadata.ts";

export interface SandboxItem {
  type: "file" | "folder" | "web_link";
  id: string;
  etag: string | null;
  name: string;
  /** ID of the folder; null for the top. */
  folder: string | null;
  created_at: string | null;
  modified_at: string | null;
  item_status: "active" | "trashed";
  size?: number;
  url?: string;
  /** By the enterprise's template. */
  metadata?: Metadata;
}

export interface State {
  /** In the order in which a folder lists them. */
  items: SandboxItem[];
  /** By file ID. */
  contents: Contents;
}

export const user = {
  type: "user",
  id: "33333333",
  name: "Zoë Müller",
  login: "zoe@example.com",
  language: "de",
  avatar_url: "https://app.box.com/api/avatar/large/33333333",
};

export const TOP = "0";
const TOP_FOLDER: SandboxItem = {
  type: "folder",
  id: TOP,
  etag: null,
  name: "All Files",
  folder: null,
  created_at: null,
  modified_at: null,
  item_status: "active",
  size: 1_048_576,
};
const EXTENSIONS = ["txt", "PDF", "pptx", "png", "tar.gz", "unusual"];

/** Box reports times with the offset of its own time zone. */
const pacificTime = (index: number) =>
  new Date(hour(index).getTime() - 8 * 3_600_000).toISOString().replace(".000Z", "-08:00");

export function makeState(): State {
  const random = seeded(4711);
  const items = [{ ...TOP_FOLDER }];
  const contents: Contents = new Map();
  // Files and folders are numbered separately.
  const lastIds = { file: 1_204_500_000_000, folder: 240_100_000_000, web_link: 7_500_000 };

  const add = (type: SandboxItem["type"], folder: string, name: string, more: Partial<SandboxItem> = {}): string => {
    const index = items.length;
    lastIds[type] += 1 + random.int(90);
    const id = String(lastIds[type]);
    const times = { created_at: pacificTime(index * 5), modified_at: pacificTime(index * 7) };
    items.push({
      type,
      id,
      etag: "0",
      name,
      folder,
      ...times,
      item_status: "active",
      metadata: ownMetadata(index),
      ...more,
    });
    return id;
  };
  const addFolder = (folder: string, name: string) => add("folder", folder, name, { size: 4096 });
  function addFile(folder: string, name: string, more: Partial<SandboxItem> = {}, content?: string): void {
    const text = content ?? `File ${items.length} of the sandbox\n`.repeat(1 + (items.length % 5));
    contents.set(add("file", folder, name, { size: text.length, ...more }), text);
  }

  addFile(TOP, "Welcome to the sandbox – Grüße.txt");
  addFile(TOP, "empty.txt", {}, "");
  addFile(TOP, "LICENSE");
  addFolder(TOP, "Empty folder");
  add("web_link", TOP, "A bookmark", { url: "https://example.com/?a=1&b=2" });

  // Folders come first in a folder, so that they are read before its second page.
  const projects = addFolder(TOP, "Projects");
  const inner = times(8, (index) => addFolder(projects, `Project ${index}`));
  times(100, (index) => addFile(projects, `Sheet ${index}.${EXTENSIONS[index % EXTENSIONS.length]}`));
  for (const folder of inner) times(6, (index) => addFile(folder, `Notes ${index}.md`));
  const deeper = addFolder(addFolder(inner[3]!, "Deep"), "Deeper");
  times(105, (index) => addFile(deeper, `Zahl ${index} – größer.md`));
  addFile(deeper, "thrown away.md", { item_status: "trashed" });
  const trashed = add("folder", deeper, "thrown away, too", { item_status: "trashed", size: 0 });
  addFile(trashed, "never listed.md");

  const awkward = addFolder(TOP, "日本語のフォルダー");
  for (const [index, text] of awkwardTexts.entries())
    addFile(awkward, `${index} ${text.replaceAll("/", "∕").replace(/[\t\n]/g, " ")}.txt`);
  add("web_link", awkward, "Another bookmark", { url: "https://example.com" });
  return { items, contents };
}
