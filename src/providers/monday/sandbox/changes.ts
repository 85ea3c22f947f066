import { changeableList, listsByKey, taskLists, toSecond } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { withNote } from "./own-columns.ts";

const newId = (nth: number) => String(6_000_000_000 + nth);
const isShown = ({ state, type }: State["boards"][number]) => state === "active" && type === "board";

const items = changeableList({
  items: ({ items }: State) => items,
  parameters: () => ({ project_id: undefined }),
  // Subitems are listed with their items.
  shows({ boards }, { project_id }) {
    const shown = new Set(project_id === undefined ? boards.filter(isShown).map(({ id }) => id) : [project_id]);
    return ({ boardId, parentId }) => parentId === null && shown.has(boardId);
  },
  keeps: ({ items }) => items.map(({ parentId }) => parentId),
  update: ({ title, now }, { columnValues }) => ({
    name: title,
    columnValues: withNote(columnValues, title),
    updated_at: toSecond(now),
  }),
  create: ({ nth, now }, { url, id }) => ({
    id: newId(nth),
    url: url.replace(id, newId(nth)),
    created_at: toSecond(now),
  }),
  onCreate: ({ id }, { updates }) => void updates.set(id, []),
});

const boards = changeableList({
  items: ({ boards }: State) => boards,
  isShown,
  keeps: ({ items }) => items.map(({ boardId }) => boardId),
  update: ({ title, now }) => ({ name: title, updated_at: toSecond(now) }),
  create: ({ nth }, { url, id }) => ({ id: newId(nth), url: url.replace(id, newId(nth)) }),
  newestFirst: true,
});

const updates = changeableList({
  ...listsByKey("task_id", ({ updates }: State) => updates),
  keeps: ({ updates }) => [...updates.values()].flat().flatMap(({ id, replies }) => (replies.length > 0 ? id : [])),
  update: ({ title, now }) => ({ body: title, updated_at: toSecond(now) }),
  create: ({ nth, now }) => ({ id: newId(nth), replies: [], created_at: toSecond(now) }),
  newestFirst: true,
});

export const changes = taskLists(items, boards, updates);
