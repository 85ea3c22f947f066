import { changeableList, firstFilled, taskLists } from "../../../emulator-kit/changes.ts";
import { uuid } from "../../../emulator-kit/data.ts";
import { isTracker, type State } from "./data.ts";
import { text } from "./text.ts";
import { toMinute } from "./writes.ts";

const newId = (nth: number) => uuid(1_000_000 + nth);
const address = (id: string) => `https://www.notion.so/Page-${id.replaceAll("-", "")}`;

const pages = changeableList({
  items: ({ pages }: State) => pages,
  parameters: () => ({ project_id: undefined }),
  shows({ sources }, { project_id }) {
    const shown = new Set(project_id === undefined ? sources.filter(isTracker).map(({ id }) => id) : [project_id]);
    return ({ parent, in_trash }) => !in_trash && shown.has(parent.data_source_id);
  },
  id: ({ id }) => id,
  update: ({ title, now }, { properties }) => ({
    properties: { ...properties, Name: { id: "title", type: "title", title: [text(title)] } },
    last_edited_time: toMinute(now),
  }),
  create: ({ nth, now }) => ({ id: newId(nth), url: address(newId(nth)), created_time: toMinute(now) }),
  onCreate: ({ id }, { comments }) => void comments.set(id, []),
});

const sources = changeableList({
  items: ({ sources }: State) => sources,
  shows: () => isTracker,
  keeps: ({ pages }) => pages.map(({ parent }) => parent.data_source_id),
  id: ({ id }) => id,
  update: ({ title, now }) => ({ title: [text(title)], last_edited_time: toMinute(now) }),
  create: ({ nth, now }) => ({ id: newId(nth), url: address(newId(nth)), created_time: toMinute(now) }),
});

const comments = changeableList({
  items: ({ comments }: State, { task_id }) => comments.get(task_id!),
  parameters: ({ comments }) => ({ task_id: firstFilled(comments)?.key }),
  sample: ({ comments }) => firstFilled(comments)?.sample,
  id: ({ id }) => id,
  update: ({ title, now }) => ({ rich_text: [text(title)], last_edited_time: toMinute(now) }),
  create: ({ nth, now }) => ({ id: newId(nth), created_time: toMinute(now) }),
});

export const changes = taskLists(pages, sources, comments);
