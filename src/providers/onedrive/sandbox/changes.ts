import { changeableList } from "../../../emulator-kit/index.ts";
import { contentOf, type Item, itemId, type State } from "./data.ts";

const sizeOf = (item: Item) => ({ size: Buffer.byteLength(contentOf(item)) });

/** Files of the user's own drive. Folders stay as they are, because other items are in them. */
const files = changeableList({
  items: ({ drives, ownDrive }: State) => drives.get(ownDrive),
  parameters: () => ({ folder_id: undefined }),
  shows:
    (_, { folder_id }) =>
    ({ file, deleted, parentReference }) =>
      file !== undefined && !deleted && (folder_id === undefined || parentReference.id === folder_id),
  update({ title, time }, item) {
    const name = `${title}.txt`;
    return { name, lastModifiedDateTime: time, ...sizeOf({ ...item, name }) };
  },
  create({ nth, title, time }, item) {
    const named = { id: itemId(1_000_000 + nth), name: `${title}.txt` };
    return { ...named, createdDateTime: time, ...sizeOf({ ...item, ...named }) };
  },
  markDeleted: () => ({ deleted: { state: "deleted" as const } }),
});

export const changes = { "drive.listFiles": files };
