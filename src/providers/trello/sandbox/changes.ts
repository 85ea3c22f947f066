import { changeableList, listsByKey, taskLists } from "../../../emulator-kit/index.ts";
import { withNote } from "./custom-fields.ts";
import { idAt, type State } from "./data.ts";

/** Later ones of the same second have greater ids. */
const newId = (now: Date, nth: number) => idAt(now, nth.toString(16));

const cards = changeableList({
  parameters: () => ({ project_id: undefined }),
  items: ({ cards }: State) => cards,
  shows({ boards }, { project_id }) {
    const open = new Set(boards.filter(({ closed }) => !closed).map(({ id }) => id));
    return ({ idBoard }) => (project_id === undefined ? open.has(idBoard) : project_id === idBoard);
  },
  update: ({ title, time }, { id, customFieldItems }) => ({
    name: title,
    customFieldItems: withNote(id, customFieldItems, title),
    dateLastActivity: time,
  }),
  create: ({ nth, now }) => ({ id: newId(now, nth), idShort: 10_000 + nth }),
  onCreate: ({ id }, { actions }) => void actions.set(id, []),
});

const boards = changeableList({
  items: ({ boards }: State) => boards,
  isShown: ({ closed }) => !closed,
  keeps: ({ cards }) => cards.map(({ idBoard }) => idBoard),
  update: ({ title }) => ({ name: title }),
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
  ...listsByKey("task_id", ({ actions }: State) => actions),
  isShown: ({ type }) => type !== "updateCard",
  update: ({ title }, { data }) => ({ data: { ...data, text: title } }),
  create: ({ nth, now, time }) => ({ id: newId(now, nth), type: "commentCard", date: time }),
  newestFirst: true,
});

export const changes = taskLists(cards, boards, comments);
