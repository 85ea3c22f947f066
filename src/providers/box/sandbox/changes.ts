import { changeableList } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

const CONTENT = "Created on command\n";
const boxTime = (now: Date) => now.toISOString().replace(/\.\d+Z/, "+00:00");

/** Folders stay as they are, because other items are in them. */
const files = changeableList({
  items: ({ items }: State) => items,
  parameters: () => ({ folder_id: undefined }),
  shows({ items }, { folder_id }) {
    const folders = items.filter(({ type, item_status }) => type === "folder" && item_status === "active");
    const shown = new Set(folder_id === undefined ? folders.map(({ id }) => id) : [folder_id]);
    return ({ type, item_status, folder }) => type === "file" && item_status === "active" && shown.has(folder!);
  },
  update: ({ title, now, nth }, { metadata }) => ({
    name: `${title}.txt`,
    metadata: { ...metadata, note: title },
    modified_at: boxTime(now),
    etag: String(nth),
  }),
  create: ({ nth, now }) => ({ id: String(1_800_000_000_000 + nth), created_at: boxTime(now), size: CONTENT.length }),
  onCreate: ({ id }, { contents }) => void contents.set(id, CONTENT),
});

export const changes = { "drive.listFiles": files };
