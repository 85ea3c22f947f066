import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import type { State } from "./data.ts";

/** An id starts with the time of creation in seconds. Later ones of the same second have greater ids. */
const newId = (now: Date, nth: number) =>
  Math.floor(now.getTime() / 1000).toString(16) + nth.toString(16).padStart(16, "0");

const openBoards = ({ boards }: State) => boards.filter(({ closed }) => !closed);

const cards = changeableList({
  parameters: () => ({ project_id: undefined }),
  items: ({ cards }: State) => cards,
  shows(state, { project_id }) {
    const boards = new Set(openBoards(state).map(({ id }) => id));
    return ({ idBoard }) => (project_id === undefined ? boards.has(idBoard) : project_id === idBoard);
  },
  id: ({ id }) => id,
  update: ({ title, time }) => ({ name: title, dateLastActivity: time }),
  create: ({ nth, now }) => ({ id: newId(now, nth), idShort: 10_000 + nth }),
  onCreate: ({ id }, { actions }) => void actions.set(id, []),
});

const boards = changeableList({
  items: ({ boards }: State) => boards,
  shows: () => (board) => !board.closed,
  keeps: ({ cards }) => cards.map(({ idBoard }) => idBoard),
  id: ({ id }) => id,
  update: ({ title, time }) => ({ name: title, dateLastActivity: time }),
  create({ nth, now }, { lists, labels }) {
    const id = newId(now, nth);
    const ofBoard = <Part extends { id: string; idBoard: string }>(part: Part, index: number): Part => ({
      ...part,
      id: newId(now, (index + 1) * 1e9 + nth),
      idBoard: id,
    });
    return { id, lists: lists.map(ofBoard), labels: labels.map(ofBoard) };
  },
});

const comments = changeableList({
  items: ({ actions }: State, { task_id }) => actions.get(task_id!),
  parameters: ({ actions }) => ({ task_id: firstFilled(actions)?.key }),
  sample: ({ actions }) => firstFilled(actions)?.sample,
  shows:
    () =>
    ({ type }) =>
      type !== "updateCard",
  id: ({ id }) => id,
  update: ({ title }, { data }) => ({ data: { ...data, text: title } }),
  create: ({ nth, now, time }) => ({ id: newId(now, nth), type: "commentCard", date: time }),
  newestFirst: true,
});

export const changes = taskLists(cards, boards, comments);
