// Values as the real API sends them: https://developers.notion.com/reference/page
import { awkwardTexts, hour, times, uuid } from "../../../emulator-kit/data.ts";
import { mention, type SandboxText, text } from "./text.ts";

const COUNT = 330;
/** Times are exact to the minute. */
const time = (hours: number) => hour(hours).toISOString();
const address = (title: string, id: string) => `https://www.notion.so/${title}-${id.replaceAll("-", "")}`;
const partial = (id: string) => ({ object: "user", id });

const person = (number: number, name: string | null, email?: string) => ({
  object: "user",
  id: uuid(number),
  name,
  avatar_url: number % 2 ? null : `https://s3-us-west-2.amazonaws.com/public.notion-static.com/${uuid(number)}/me.png`,
  type: "person",
  person: email ? { email } : {},
});

/** The last one only has an ID: the app cannot see guests. */
export const people = [person(2, "Sandra Box", "sandra@example.com"), person(3, "Zoë Müller"), person(4, null)];
const me = people[0]!;

export const BOT = uuid(9);
export const workspace = { id: uuid(8), name: "Sandbox 🏝" };

const option = (number: number, name: string) => ({
  id: uuid(5000 + number),
  name,
  color: "default",
  description: null,
});
type Option = ReturnType<typeof option>;

const property = (id: string, name: string, type: string, configuration: object = {}) => ({
  [name]: { id, name, type, description: null, [type]: configuration },
});

/** Of each group one, and of the second two. The names of the groups can be changed. */
const STATUSES = ["Not started", "In progress", "In Prüfung 🔎", "Done"].map((name, index) => option(index, name));
const group = (number: number, name: string, options: (Option | undefined)[]) => ({
  id: uuid(5100 + number),
  name,
  color: "default",
  option_ids: options.map((one) => one!.id),
});
const statusProperty = property("stat", "Status", "status", {
  options: STATUSES,
  groups: [
    group(0, "Später", [STATUSES[0]]),
    group(1, "In progress", [STATUSES[1], STATUSES[2]]),
    group(2, "Complete", [STATUSES[3]]),
  ],
});
const STAGES = ["Not started", "Done", "Idee"].map((name, index) => option(20 + index, name));
const PRIORITIES = ["High", "Niedrig"].map((name, index) => option(40 + index, name));
const TAGS = ["bug", "grüße 👋", "design"].map((name, index) => option(60 + index, name));

const title = property("title", "Name", "title");

function source(index: number, name: SandboxText[], description: SandboxText[], properties: object) {
  const id = uuid(6000 + index);
  const database = uuid(6100 + index);
  return {
    object: "data_source",
    id,
    title: name,
    description,
    parent: { type: "database_id", database_id: database },
    database_parent: { type: "workspace", workspace: true },
    is_inline: false,
    in_trash: false,
    created_time: time(index),
    last_edited_time: time(1000 + index),
    created_by: partial(me.id),
    last_edited_by: partial(me.id),
    icon: null,
    cover: null,
    url: address("Tasks", database),
    public_url: null,
    properties: properties as Record<string, { id: string; name: string; type: string }>,
  };
}
export type SandboxSource = ReturnType<typeof source>;

/** The first has most of the pages. The fourth tracks nothing, and the last is empty. */
const sources = [
  source(
    0,
    [text("Launch "), text("🚀", { bold: true })],
    [text("Everything for\r\nthe "), text("launch", { italic: true })],
    {
      ...title,
      // Before the ones with the usual names, which count instead.
      ...property("crea", "Kick-off", "date"),
      ...property("revi", "Reviewer", "people"),
      ...statusProperty,
      ...property("assi", "Assignee", "people"),
      ...property("due", "Due date", "date"),
      ...property("prio", "Priority", "select", { options: PRIORITIES }),
      ...property("tags", "Tags", "multi_select", { options: TAGS }),
      ...property("pare", "Parent item", "relation", {
        data_source_id: uuid(6000),
        database_id: uuid(6100),
        type: "dual_property",
        dual_property: { synced_property_id: "subs", synced_property_name: "Sub-item" },
      }),
      ...property("summ", "Summary", "rich_text"),
    },
  ),
  source(1, [text("日本語のプロジェクト")], [], {
    ...title,
    ...property("stag", "Stage", "select", { options: STAGES }),
    ...property("wer", "Wer", "people"),
  }),
  source(2, [text("Einkäufe")], [text(" ")], { ...title, ...property("chec", "Gekauft", "checkbox") }),
  source(3, [text("Contacts")], [], { ...title, ...property("mail", "Email", "email") }),
  source(4, [], [], { ...title, ...statusProperty }),
];

/** Whether the pages of a data source are tasks. */
export const isTracker = ({ properties }: SandboxSource) =>
  Object.values(properties).some(({ type }) => ["status", "select", "checkbox"].includes(type));

const TITLES = awkwardTexts;
const DESCRIPTIONS: SandboxText[][] = [
  [],
  [text("Ask "), mention(people[1]!), text(" about\r\n"), text("not *bold*", { code: true }), text(" and 1. this")],
  [text("  ")],
  [text("see "), text("the guide", { bold: true }, "https://example.com/a_b?c=1&d=2"), text("\n\nsecond paragraph")],
  [text("Grüße, 世界 "), text("👩‍👩‍👧", { italic: true }), text(" gone", { strikethrough: true })],
];

const value = (id: string, type: string, content: unknown) => ({ id, type, [type]: content });
const named = (one: Option | undefined | null) => one && { id: one.id, name: one.name, color: one.color };
const people_ = (index: number) =>
  index % 5 === 4 ? [] : people.slice(index % people.length).map((one) => (one.name ? one : partial(one.id)));

/** A date, a time in another time zone, a range, or nothing. */
function date(index: number) {
  const day = time(index + 700).slice(0, 10);
  const empty = { end: null, time_zone: null };
  if (index % 4 === 0) return { ...empty, start: day };
  if (index % 4 === 1) return { ...empty, start: `${day}T23:30:00.000+02:00` };
  return index % 4 === 2 ? { ...empty, start: day, end: time(index + 900).slice(0, 10) } : null;
}

function propertiesOf(index: number, of: SandboxSource): Record<string, object> {
  const name = index % 41 === 40 ? [] : [text(`${TITLES[index % TITLES.length]} `), text(String(index + 1))];
  const common = { Name: value("title", "title", name) };
  if (of === sources[1])
    return {
      ...common,
      Stage: value("stag", "select", index % 7 === 0 ? null : named(STAGES[index % STAGES.length])),
      Wer: value("wer", "people", people_(index)),
    };
  if (of === sources[2]) return { ...common, Gekauft: value("chec", "checkbox", index % 2 === 0) };
  return {
    ...common,
    "Kick-off": value("crea", "date", date(index + 1)),
    Reviewer: value("revi", "people", people_(index + 1)),
    // Shifted by one in each round, so that every status occurs with every text.
    Status: value("stat", "status", named(STATUSES[(index + Math.floor(index / 4)) % STATUSES.length])),
    Assignee: value("assi", "people", people_(index)),
    "Due date": value("due", "date", date(index)),
    Priority: value("prio", "select", index % 3 === 0 ? null : named(PRIORITIES[index % 2])),
    Tags: value("tags", "multi_select", TAGS.slice(0, index % 4).map(named)),
    "Parent item": {
      ...value("pare", "relation", index % 7 === 6 ? [{ id: uuid(7000 + index - 1) }] : []),
      has_more: false,
    },
    Summary: value("summ", "rich_text", DESCRIPTIONS[index % DESCRIPTIONS.length]),
  };
}

const sourceOf = (index: number) => sources[index % 11 === 10 ? 1 : index % 11 === 9 ? 2 : 0]!;

/** Every eleventh is made in the same minute as another one, and some are in the trash. */
function page(index: number) {
  const id = uuid(7000 + index);
  const of = sourceOf(index);
  return {
    object: "page",
    id,
    created_time: time(index - (index % 11 === 1 ? 1 : 0)),
    last_edited_time: time(COUNT + ((index * 37) % COUNT)),
    created_by: partial(me.id),
    last_edited_by: partial(me.id),
    parent: { type: "data_source_id", data_source_id: of.id, database_id: of.parent.database_id },
    in_trash: index % 23 === 7,
    is_locked: false,
    icon: null,
    cover: null,
    url: address("Page", id),
    public_url: null,
    properties: propertiesOf(index, of),
  };
}
export type SandboxPage = ReturnType<typeof page>;

/** The first page has many comments, and others have few or none. */
const madeComments = (pageIndex: number, pageId: string) =>
  times(pageIndex === 0 ? 270 : pageIndex % 4, (index) => {
    const author = people[index % people.length]!;
    const isBot = index % 6 === 5;
    return {
      object: "comment",
      id: uuid(8000 + pageIndex * 300 + index),
      parent: { type: "page_id", page_id: pageId },
      discussion_id: uuid(7500 + pageIndex),
      created_time: time(COUNT + index),
      last_edited_time: time(COUNT + index),
      created_by: partial(isBot ? BOT : author.id),
      rich_text: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
      display_name: isBot
        ? { type: "integration", resolved_name: "Plugboard" as string | null }
        : { type: "user", resolved_name: author.name },
    };
  });
export type Comment = ReturnType<typeof madeComments>[number];

export function makeState() {
  const pages = times(COUNT, page);
  return {
    // Copies, because data sources can be changed.
    sources: sources.map((one) => ({ ...one })),
    pages,
    /** By page. */
    comments: new Map<string, Comment[]>(pages.map(({ id }, index) => [id, madeComments(index, id)])),
  };
}
export type State = ReturnType<typeof makeState>;
