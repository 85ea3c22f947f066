// Values as the real API sends them: https://developers.notion.com/reference/page
import { awkwardTexts, hour, times, toDay, uuid } from "../../../emulator-kit/index.ts";
import { ownContent, ownProperties } from "./own-properties.ts";
import { type Option, option, options, type Property, property } from "./property.ts";
import { mention, type SandboxText, text } from "./text.ts";

const COUNT = 330;
/** Times are exact to the minute. */
const time = (hours: number) => hour(hours).toISOString();
const day = (hours: number) => toDay(hour(hours));
export const address = (title: string, id: string) => `https://www.notion.so/${title}-${id.replaceAll("-", "")}`;
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

export const BOT = uuid(9);
export const workspace = { id: uuid(8), name: "Sandbox 🏝" };

/** Of each group one, and of the second two. The names of the groups can be changed. */
const STATUSES = options(0, "Not started", "In progress", "In Prüfung 🔎", "Done");
const group = (number: number, name: string, statuses: Option[]) => ({
  ...option(uuid(5100 + number), name),
  option_ids: statuses.map(({ id }) => id),
});
const statusProperty = property("stat", "Status", "status", {
  options: STATUSES,
  groups: [
    group(0, "Später", STATUSES.slice(0, 1)),
    group(1, "In progress", STATUSES.slice(1, 3)),
    group(2, "Complete", STATUSES.slice(3)),
  ],
});
const STAGES = options(20, "Not started", "Done", "Idee");
const PRIORITIES = options(40, "High", "Niedrig");
const TAGS = options(60, "bug", "grüße 👋", "design");

const title = property("title", "Name", "title");

function source(index: number, name: SandboxText[], description: SandboxText[], properties: Record<string, Property>) {
  const database = uuid(6100 + index);
  return {
    object: "data_source",
    id: uuid(6000 + index),
    title: name,
    description,
    parent: { type: "database_id", database_id: database },
    in_trash: false,
    created_time: time(index),
    last_edited_time: time(1000 + index),
    url: address("Tasks", database),
    properties,
  };
}
export type SandboxSource = ReturnType<typeof source>;

/** The first has most of the pages. The fourth tracks nothing, and the last is empty. */
const makeSources = () => [
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
      ...ownProperties,
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

const DESCRIPTIONS: SandboxText[][] = [
  [],
  [text("Ask "), mention(people[1]!), text(" about\r\n"), text("not *bold*", { code: true }), text(" and 1. this")],
  [text("  ")],
  [text("see "), text("the guide", { bold: true }, "https://example.com/a_b?c=1&d=2"), text("\n\nsecond paragraph")],
  [text("Grüße, 世界 "), text("👩‍👩‍👧", { italic: true }), text(" gone", { strikethrough: true })],
];

const peopleOf = (index: number) =>
  index % 5 === 4 ? [] : people.slice(index % people.length).map((one) => (one.name ? one : partial(one.id)));

/** A date, a time in another time zone, a range, or nothing. */
function date(index: number) {
  const start = day(index + 700);
  const empty = { start, end: null, time_zone: null };
  if (index % 4 === 0) return empty;
  if (index % 4 === 1) return { ...empty, start: `${start}T23:30:00.000+02:00` };
  return index % 4 === 2 ? { ...empty, end: day(index + 900) } : null;
}

/** The made-up content of each property. */
const CONTENT: Record<string, (index: number) => unknown> = {
  Name: (index) =>
    index % 41 === 40 ? [] : [text(`${awkwardTexts[index % awkwardTexts.length]} `), text(String(index + 1))],
  "Kick-off": (index) => date(index + 1),
  Reviewer: (index) => peopleOf(index + 1),
  // Shifted by one in each round, so that every status occurs with every text.
  Status: (index) => STATUSES[(index + Math.floor(index / 4)) % STATUSES.length],
  Assignee: peopleOf,
  "Due date": date,
  Priority: (index) => (index % 3 === 0 ? null : PRIORITIES[index % 2]),
  Tags: (index) => TAGS.slice(0, index % 4),
  "Parent item": (index) => (index % 7 === 6 ? [{ id: uuid(7000 + index - 1) }] : []),
  Summary: (index) => DESCRIPTIONS[index % DESCRIPTIONS.length],
  Stage: (index) => (index % 7 === 0 ? null : STAGES[index % STAGES.length]),
  Wer: peopleOf,
  Gekauft: (index) => index % 2 === 0,
};

export const value = ({ id, type }: Property, content: unknown) => ({ id, type, [type]: content });

/** A page with content for each property of its data source. */
export function newPage(id: string, source: SandboxSource, contentOf: (property: Property) => unknown, at: string) {
  const properties = Object.values(source.properties);
  return {
    object: "page",
    id,
    created_time: at,
    last_edited_time: at,
    parent: { type: "data_source_id", data_source_id: source.id, database_id: source.parent.database_id },
    in_trash: false,
    url: address("Page", id),
    properties: Object.fromEntries(properties.map((own) => [own.name, value(own, contentOf(own))])),
  };
}
export type SandboxPage = ReturnType<typeof newPage>;

/** Every eleventh is made in the same minute as another one, and some are in the trash. */
function page(index: number, sources: SandboxSource[]): SandboxPage {
  const source = sources[index % 11 === 10 ? 1 : index % 11 === 9 ? 2 : 0]!;
  const created = time(index - (index % 11 === 1 ? 1 : 0));
  const own = ownContent(index);
  return {
    ...newPage(uuid(7000 + index), source, ({ name }) => (CONTENT[name] ? CONTENT[name](index) : own[name]), created),
    last_edited_time: time(COUNT + ((index * 37) % COUNT)),
    in_trash: index % 23 === 7,
  };
}

/** A comment by a user or, if there is none, by the bot. */
export const newComment = (
  id: string,
  page: string,
  discussion_id: string,
  rich_text: SandboxText[],
  created_time: string,
  author?: (typeof people)[number],
) => ({
  object: "comment",
  id,
  parent: { type: "page_id", page_id: page },
  discussion_id,
  created_time,
  created_by: partial(author?.id ?? BOT),
  rich_text,
  display_name: { type: author ? "user" : "integration", resolved_name: author ? author.name : "Plugboard" },
});

/** The first page has many comments, and others have few or none. */
const madeComments = (pageIndex: number) =>
  times(pageIndex === 0 ? 270 : pageIndex % 4, (index) =>
    newComment(
      uuid(8000 + pageIndex * 300 + index),
      uuid(7000 + pageIndex),
      uuid(7500 + pageIndex),
      DESCRIPTIONS[index % DESCRIPTIONS.length]!,
      time(COUNT + index),
      index % 6 === 5 ? undefined : people[index % people.length],
    ),
  );

export function makeState() {
  const sources = makeSources();
  return {
    sources,
    pages: times(COUNT, (index) => page(index, sources)),
    /** By page. */
    comments: new Map(times(COUNT, (index) => [uuid(7000 + index), madeComments(index)])),
  };
}
export type State = ReturnType<typeof makeState>;
