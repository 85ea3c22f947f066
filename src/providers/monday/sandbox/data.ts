// Values as the real API sends them: https://developer.monday.com/api-reference/reference/items
import { awkwardTexts, hour, times } from "../../../emulator-kit/data.ts";

const SITE = "https://sandbox.monday.com";
const COUNT = 330;
/** Times have no fraction of a second. */
const time = (hours: number) => hour(hours).toISOString().replace(".000Z", "Z");
const day = (hours: number) => time(hours).slice(0, 10);

const user = (number: number, name: string, email: string) => ({
  id: String(70_000_000 + number),
  name,
  email,
  title: "",
  url: `${SITE}/users/${70_000_000 + number}`,
  photo_url:
    number === 1
      ? {
          original: "https://files.monday.com/use1/photos/1/original/sandra.png",
          small: "https://files.monday.com/use1/photos/1/small/sandra.png",
          thumb: "https://files.monday.com/use1/photos/1/thumb/sandra.png",
        }
      : null,
});
const me = user(1, "Sandra Box", "sandra@example.com");
export const people = [me, user(2, "Zoë Müller", "zoe@example.com"), user(3, "Groß, Jürgen", "juergen@example.com")];
const TEAM = { id: "900", name: "Rockets 🚀" };

const column = (id: string, type: string, title: string, settings: object = {}) => ({ id, type, title, settings });
export type Column = ReturnType<typeof column>;

/** By the index that a board gives its labels: those that count as done are marked. */
interface Label {
  label: string | null;
  is_done: boolean | null;
}
const LABELS: Label[] = [
  { label: "Working on it", is_done: false },
  { label: "Done", is_done: true },
  { label: "Stuck", is_done: false },
  { label: "Erledigt ✅", is_done: true },
  { label: "Not Started", is_done: false },
  { label: null, is_done: null },
];
const PRIORITIES = [null, "Critical ⚠️️", "High", "Low"];

/** A board has its labels, without the empty one, in the settings of the column. */
const settings = (labels: { label: string | null; is_done?: boolean | null }[]) => ({
  labels: labels.flatMap(({ label, is_done }, index) => (label === null ? [] : { id: index, index, label, is_done })),
});

/** A status column before the one that is named so, a date before the due date, and columns that are not read. */
const COLUMNS = [
  column("subitems", "subtasks", "Subitems", { boardIds: [1_800_000_008] }),
  column("color_risk", "status", "Risk", settings(LABELS)),
  column("status", "status", "Status", settings(LABELS)),
  column("color_prio", "status", "Priority", settings(PRIORITIES.map((label) => ({ label })))),
  column("person", "people", "Owner"),
  column("date_start", "date", "Start"),
  column("date_due", "date", "Due date"),
  column("tags", "tags", "Tags"),
  column("long_text", "long_text", "Notes"),
  column("numbers", "numbers", "Estimate"),
];
const PLAIN_COLUMNS = [column("people", "people", "Wer"), column("timeline", "timeline", "Zeitraum")];

export const TAGS = [
  { id: "1", name: "bug", color: "#ff0000" },
  { id: "2", name: "grüße 👋", color: "#00ff00" },
];
const NOTES = [
  null,
  "Steps:\r\n1. Open the page\r\n2. See *nothing*",
  "",
  "Grüße, 世界 — \u202eright to left\u202c and 👩‍👩‍👧",
  `A long one. ${"All work and no play. ".repeat(60)}`,
];

export const statusValue = (index: number, { label, is_done }: Label, position: number) => ({
  __typename: "StatusValue",
  text: label,
  label,
  is_done,
  index: label === null ? null : position,
  updated_at: label === null ? null : time(COUNT + index),
  value: label === null ? null : JSON.stringify({ index: position, post_id: null }),
});

export const dateValue = (date: string | null, clock: string | null) => ({
  __typename: "DateValue",
  date,
  time: clock,
  text: [date, clock?.slice(0, 5)].filter(Boolean).join(" "),
  value: date && JSON.stringify(clock ? { date, time: clock } : { date }),
});

/** Nobody, one person, a person and a team, or a team alone. */
function peopleValue(index: number) {
  const person = people[index % people.length]!;
  const one = { id: person.id, kind: "person" };
  const team = { id: TEAM.id, kind: "team" };
  const [entities, text] = [
    [[one], person.name],
    [[], ""],
    [[one], person.name],
    [[team, one], `${TEAM.name}, ${person.name}`],
    [[team], TEAM.name],
  ][index % 5] as [{ id: string; kind: string }[], string];
  return { __typename: "PeopleValue", persons_and_teams: entities, text, value: null };
}

/** Shifted by one in each round, so that every label occurs with every text. */
const shifted = (index: number, length: number) => (index + Math.floor(index / length)) % length;

function columnValue({ id }: Column, index: number): object {
  switch (id) {
    case "status": {
      const position = shifted(index, LABELS.length);
      return statusValue(index, LABELS[position]!, position);
    }
    case "color_risk":
      return statusValue(index, LABELS[1]!, 1);
    case "color_prio":
      return statusValue(
        index,
        { label: PRIORITIES[index % PRIORITIES.length]!, is_done: false },
        index % PRIORITIES.length,
      );
    case "person":
    case "people":
      return peopleValue(index);
    case "date_start":
      return dateValue(day(index), null);
    case "date_due":
      return index % 3 === 2 ? dateValue(null, null) : dateValue(day(index + 700), index % 3 === 1 ? "22:30:00" : null);
    case "timeline": {
      const from = index % 2 ? day(index) : null;
      const to = index % 2 ? day(index + 48) : null;
      return { __typename: "TimelineValue", from, to, text: from ? `${from} - ${to}` : "", value: null };
    }
    case "tags": {
      const tags = TAGS.slice(0, index % 3);
      const text = tags.map(({ name }) => name).join(", ");
      return { __typename: "TagsValue", tags, tag_ids: tags.map((tag) => Number(tag.id)), text, value: null };
    }
    case "long_text":
      return { __typename: "LongTextValue", text: NOTES[index % NOTES.length]!, value: null };
    default:
      return { __typename: "NumbersValue", text: "5", value: '"5"' };
  }
}

const board = (number: number, name: string, description: string | null, columns: Column[], type = "board") => ({
  id: String(1_800_000_000 + number),
  name,
  description,
  type,
  state: number === 7 ? "archived" : "active",
  board_kind: "public",
  url: `${SITE}/boards/${1_800_000_000 + number}`,
  workspace_id: number === 2 ? null : "5000",
  updated_at: time(COUNT),
  columns,
});
export type SandboxBoard = ReturnType<typeof board>;

/** The last one made comes first. The first has most of the items, the second is where its subitems are. */
const boards = [
  board(9, "Launch 🚀", "Everything for\r\nthe *launch*", COLUMNS),
  board(8, "Subitems of Launch 🚀", null, COLUMNS.slice(1), "sub_items_board"),
  board(7, "Last year", "", COLUMNS),
  board(6, "日本語のボード", null, PLAIN_COLUMNS),
  board(5, "Notes", null, [], "document"),
  board(4, "Empty", " ", COLUMNS),
  board(3, "Grüße & Co", "1. <b>not</b> a list", COLUMNS.slice(1)),
];
const [launch, subitemBoard] = boards as [SandboxBoard, SandboxBoard];
const boardOf = (index: number) => (index % 11 === 10 ? boards[3]! : index % 11 === 9 ? boards[6]! : launch);

export const itemId = (index: number) => String(2_900_000_000 + index);

/** Every seventh item of the first board is a subitem of the one before it. */
const isSubitem = (index: number) => boardOf(index) === launch && index % 7 === 6 && boardOf(index - 1) === launch;

function item(index: number) {
  const parent = isSubitem(index) ? itemId(index - 1) : null;
  const on = parent ? subitemBoard : boardOf(index);
  return {
    id: itemId(index),
    name: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : index + 1}`.trim(),
    state: "active",
    url: `${on.url}/pulses/${itemId(index)}`,
    created_at: time(index),
    updated_at: time(COUNT + ((index * 37) % COUNT)),
    group: { id: index % 2 ? "topics" : "group_title", title: index % 2 ? "Später" : "This week" },
    boardId: on.id,
    parentId: parent,
    columnValues: on.columns
      .filter(({ type }) => type !== "subtasks")
      .map((own) => ({ ...columnValue(own, index), id: own.id, type: own.type, column: own })),
  };
}
export type SandboxItem = ReturnType<typeof item>;

const BODIES = [
  "<p>Looks <strong>good</strong>.</p><ul><li>checked</li><li>shipped &amp; done</li></ul>",
  "",
  `\uFEFF<a class="user_mention_editor router" href="${SITE}/users/${people[1]!.id}" data-mention-type="User" data-mention-id="${people[1]!.id}">@Zoë Müller</a>&nbsp;Grüße, 世界 👩‍👩‍👧`,
  '<p>see <a href="https://example.com/guide?a=1&amp;b=2">the guide</a><br>\r\nsecond line</p>',
];

const post = (id: number, index: number) => ({
  id: String(id),
  body: BODIES[index % BODIES.length]!,
  text_body: "",
  // Null if the account no longer exists.
  creator: index % 4 === 3 ? null : people[index % people.length]!,
  created_at: time(COUNT + index),
  updated_at: time(COUNT + index),
});

/** The first item has many updates, and others have few or none. Some have replies. Newest first. */
function madeUpdates({ id }: Pick<SandboxItem, "id">) {
  const index = Number(id) - Number(itemId(0));
  return times(index === 0 ? 270 : index % 4, (nth) => ({
    ...post(3_000_000_000 + index * 1000 + nth, nth),
    replies: times(nth % 5 === 2 ? 2 : 0, (reply) => post(4_000_000_000 + index * 1000 + nth * 3 + reply, nth + reply)),
  })).reverse();
}
export type SandboxUpdate = ReturnType<typeof madeUpdates>[number];

export function makeState() {
  const items = times(COUNT, item);
  return {
    me,
    // Copies, because boards can be changed.
    boards: boards.map((board) => ({ ...board })),
    items,
    /** By item; newest first. */
    updates: new Map<string, SandboxUpdate[]>(items.map((item) => [item.id, madeUpdates(item)])),
  };
}
export type State = ReturnType<typeof makeState>;
