import { changeableList, listsByKey, taskLists, uuid } from "../../../emulator-kit/index.ts";
import { address, isTracker, type State } from "./data.ts";
import { noteContent } from "./own-properties.ts";
import { text } from "./text.ts";
import { toMinute } from "./writes.ts";

const newRecord = (nth: number, now: Date) => {
  const id = uuid(1_000_000 + nth);
  return { id, url: address("Page", id), created_time: toMinute(now) };
};

const pages = changeableList({
  items: ({ pages }: State) => pages,
  parameters: () => ({ project_id: undefined }),
  shows({ sources }, { project_id }) {
    const shown = new Set(project_id === undefined ? sources.filter(isTracker).map(({ id }) => id) : [project_id]);
    return ({ parent, in_trash }) => !in_trash && shown.has(parent.data_source_id);
  },
  update: ({ title, now }, { properties }) => ({
    properties: {
      ...properties,
      ...("Account note" in properties && noteContent(title)),
      Name: { id: "title", type: "title", title: [text(title)] },
    },
    last_edited_time: toMinute(now),
  }),
  create: ({ nth, now }) => newRecord(nth, now),
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const sources = changeableList({
  items: ({ sources }: State) => sources,
  isShown: isTracker,
  keeps: ({ pages }) => pages.map(({ parent }) => parent.data_source_id),
  update: ({ title, now }) => ({ title: [text(title)], last_edited_time: toMinute(now) }),
  create: ({ nth, now }) => newRecord(nth, now),
});

const comments = changeableList({
  ...listsByKey("task_id", ({ comments }: State) => comments),
  update: ({ title }) => ({ rich_text: [text(title)] }),
  create: ({ nth, now }) => ({ id: uuid(1_000_000 + nth), created_time: toMinute(now) }),
});

export const changes = taskLists(pages, sources, comments);
