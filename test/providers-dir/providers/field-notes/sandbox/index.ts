import {
  awkwardTexts,
  changeableList,
  checkFields,
  collection,
  emulate,
  hour,
  isText,
  nextWrite,
  numberedPage,
  reply,
  sentFields,
  times,
} from "plugboard/provider-kit/sandbox";
import type { Note } from "../records.ts";

const SELF = { user_id: 7, full_name: "Zoë Feld" };
const STATES = ["draft", "sent", "answered"] as const;
const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);

const note = (index: number): Note => ({
  key: `n${index + 1}`,
  headline: `${awkwardTexts[index % awkwardTexts.length]} ${index}`,
  text_html: index % 5 === 4 ? null : `<p>Seen at <b>${index}</b> m</p>`,
  state: STATES[index % 3]!,
  notebook: index % 4 === 3 ? null : (index % 2) + 1,
  assigned: [SELF, { user_id: 8 }, null][index % 3]!,
  written: toSeconds(hour(index)),
  edited: toSeconds(hour(index)),
  answered: index % 3 === 2 ? toSeconds(hour(index + 1)) : null,
  due: index % 6 === 0 ? hour(index + 24).toISOString() : null,
});

const failure = (status: number, reason = "request failed") => reply(status, { problem: { status, reason } });

const notes = collection({
  items: (all: Note[]) => all,
  parameter: "key",
  names: ({ key }) => [key],
  notFound: () => failure(404, "no such note"),
  select: (all, { query }) =>
    query.has("notebook") ? all.filter(({ notebook }) => String(notebook) === query.get("notebook")) : all,
  page: (found, request) => reply(200, numberedPage(request, found, { fallback: 20, max: 50 }).items),
  create({ body }, all): Note {
    checkFields({ headline: isText(body?.headline) }, (field) => failure(422, `${field} is required`));
    const { nth, at } = nextWrite(all);
    const time = toSeconds(at);
    const sent = sentFields(body, ["headline", "text_html", "notebook", "due"]);
    return { key: `w${nth}`, headline: "", state: "draft", written: time, edited: time, ...sent };
  },
});

export default emulate({
  state: () => times(300, note),
  settings: { subdomain: "sandbox" },
  credential: ({ headers }) => headers["x-notes-key"],
  changes: {
    "tasks.listTasks": changeableList({
      items: (all: Note[]) => all,
      id: ({ key }) => key,
      update: ({ title, now }) => ({ headline: title, edited: toSeconds(now) }),
      create: ({ nth, now }) => ({ key: `c${nth}`, written: toSeconds(now) }),
    }),
  },
  failure: (status) => failure(status),
  routes: {
    "GET /api/v2/self": () => reply(200, SELF),
    "GET /api/v2/notes": notes.list,
    "GET /api/v2/notes/:key": notes.get,
    "POST /api/v2/notes": notes.create,
  },
});
