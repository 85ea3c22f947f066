// Values as the real API sends them: https://developer.monday.com/api-reference/reference/items
import { awkwardTexts, hour, times, toDay, toSecond } from "../../../emulator-kit/index.ts";
import { type Column, column, columnValue, type Given, labels, me, people, SITE, TEAM } from "./columns.ts";
import { OWN_COLUMNS, ownGiven } from "./own-columns.ts";

const COUNT = 330;
/** Times have no fraction of a second. */
const time = (hours: number) => toSecond(hour(hours));
const day = (hours: number) => toDay(hour(hours));

const LABELS = ["Working on it", "Done", "Stuck", "Erledigt ✅", "Not Started", null];
const STATUSES = { labels: labels(LABELS, ["Done", "Erledigt ✅"]) };
const PRIORITIES = [null, "Critical ⚠️️", "High", "Low"];

/** A status column before the one that is named so, a date before the due date, and columns that are not read. */
const COLUMNS = [
  column("subitems", "subtasks", "Subitems", { boardIds: [1_800_000_008] }),
  column("color_risk", "status", "Risk", STATUSES),
  column("status", "status", "Status", STATUSES),
  column("color_prio", "status", "Priority", { labels: labels(PRIORITIES) }),
  column("person", "people", "Owner"),
  column("date_start", "date", "Start"),
  column("date_due", "date", "Due date"),
  column("tags", "tags", "Tags"),
  column("long_text", "long_text", "Notes"),
  column("numbers", "numbers", "Estimate"),
  ...OWN_COLUMNS,
];
/** A checkbox is never empty, but missing here. */
const SUBITEM_COLUMNS = COLUMNS.slice(1).filter(({ type }) => type !== "checkbox");
const PLAIN_COLUMNS = [column("people", "people", "Wer"), column("timeline", "timeline", "Zeitraum")];

const NOTES = [
  null,
  "Steps:\r\n1. Open the page\r\n2. See *nothing*",
  "",
  "Grüße, 世界 — \u202eright to left\u202c and 👩‍👩‍👧",
  `A long one. ${"All work and no play. ".repeat(60)}`,
];

/** Shifted by one in each round, so that every label occurs with every text. */
const shifted = (index: number, length: number) => (index + Math.floor(index / length)) % length;

/** Nobody, one person, a person and a team, or a team alone. */
function owners(index: number): Given {
  const person = { id: people[index % people.length]!.id, kind: "person" };
  const team = { id: TEAM.id, kind: "team" };
  return { personsAndTeams: [[person], [], [person], [team, person], [team]][index % 5]! };
}

/** What is written to the columns of an item, by their ids. */
const GIVEN: Record<string, (index: number) => Given> = {
  status: (index) => ({ label: LABELS[shifted(index, LABELS.length)]! }),
  color_risk: (index) => ({ label: index % 4 === 3 ? null : "Done" }),
  color_prio: (index) => ({ label: PRIORITIES[index % PRIORITIES.length]! }),
  person: owners,
  people: owners,
  date_start: (index) => (index % 5 === 4 ? {} : { date: day(index) }),
  date_due: (index) => [{ date: day(index + 700) }, { date: day(index + 700), time: "22:30:00" }, {}][index % 3]!,
  timeline: (index) => (index % 2 ? { from: day(index), to: day(index + 48) } : {}),
  tags: (index) => ({ tag_ids: [1, 2].slice(0, index % 3) }),
  long_text: (index) => ({ text: NOTES[index % NOTES.length]! }),
  numbers: (index) => ({ text: index % 3 === 2 ? "" : "5" }),
};

const board = (number: number, name: string, description: string | null, columns: Column[], type = "board") => ({
  id: String(1_800_000_000 + number),
  name,
  description,
  type,
  state: number === 7 ? "archived" : "active",
  board_kind: "public",
  url: `${SITE}/boards/${1_800_000_000 + number}`,
  workspace_id: "5000",
  updated_at: time(COUNT),
  columns,
});
export type SandboxBoard = ReturnType<typeof board>;

/** The last one made comes first. The first has most of the items, the second is where its subitems are. */
const makeBoards = () => [
  board(9, "Launch 🚀", "Everything for\r\nthe *launch*", COLUMNS),
  board(8, "Subitems of Launch 🚀", null, SUBITEM_COLUMNS, "sub_items_board"),
  board(7, "Last year", "", COLUMNS),
  board(6, "日本語のボード", null, PLAIN_COLUMNS),
  board(5, "Notes", null, [], "document"),
  board(4, "Empty", " ", COLUMNS),
  board(3, "Grüße & Co", "1. <b>not</b> a list", COLUMNS.slice(1)),
];
const boardOf = (index: number) => (index % 11 === 10 ? 3 : index % 11 === 9 ? 6 : 0);

export const itemId = (index: number) => String(2_900_000_000 + index);

/** An item with the values that are given for its columns. */
export function newItem(board: SandboxBoard, id: string, givenFor: (column: Column) => Given, at: string) {
  const columns = board.columns.filter(({ type }) => type !== "subtasks");
  return {
    id,
    name: "",
    state: "active",
    url: `${board.url}/pulses/${id}`,
    created_at: at,
    updated_at: at,
    group: { id: "topics", title: "Später" },
    boardId: board.id,
    parentId: null as string | null,
    columnValues: columns.map((column) => columnValue(column, givenFor(column), at)),
  };
}
export type SandboxItem = ReturnType<typeof newItem>;

/** Every seventh item of the first board is a subitem of the one before it. */
const isSubitem = (index: number) => boardOf(index) === 0 && index % 7 === 6 && boardOf(index - 1) === 0;

function item(boards: SandboxBoard[], index: number): SandboxItem {
  const isPart = isSubitem(index);
  const own = ownGiven(index);
  const board = boards[isPart ? 1 : boardOf(index)]!;
  const given = newItem(board, itemId(index), ({ id }) => GIVEN[id]?.(index) ?? own[id] ?? {}, time(COUNT + index));
  return {
    ...given,
    name: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : index + 1}`.trim(),
    created_at: time(index),
    updated_at: time(COUNT + ((index * 37) % COUNT)),
    group: { id: index % 2 ? "topics" : "group_title", title: index % 2 ? "Später" : "This week" },
    parentId: isPart ? itemId(index - 1) : null,
  };
}

const BODIES = [
  "<p>Looks <strong>good</strong>.</p><ul><li>checked</li><li>shipped &amp; done</li></ul>",
  "",
  `\uFEFF<a class="user_mention_editor router" href="${SITE}/users/${people[1]!.id}" data-mention-type="User" data-mention-id="${people[1]!.id}">@Zoë Müller</a>&nbsp;Grüße, 世界 👩‍👩‍👧`,
  '<p>see <a href="https://example.com/guide?a=1&amp;b=2">the guide</a><br>\r\nsecond line</p>',
];

/** An update or a reply to one. Its creator is null if the account no longer exists. */
export const post = (id: number, body: string, creator: (typeof people)[number] | null, at: string) => ({
  id: String(id),
  body,
  text_body: "",
  creator,
  created_at: at,
  updated_at: at,
});
const madeUpPost = (id: number, index: number) =>
  post(
    id,
    BODIES[index % BODIES.length]!,
    index % 4 === 3 ? null : people[index % people.length]!,
    time(COUNT + index),
  );

/** The first item has many updates, and others have few or none. Some have replies. Newest first. */
const madeUpdates = (index: number) =>
  times(index === 0 ? 270 : index % 4, (nth) => {
    const id = index * 1000 + nth;
    const replies = times(nth % 5 === 2 ? 2 : 0, (reply) =>
      madeUpPost(4_000_000_000 + id + nth * 2 + reply, nth + reply),
    );
    return { ...madeUpPost(3_000_000_000 + id, nth), replies };
  }).reverse();
export type SandboxUpdate = ReturnType<typeof madeUpdates>[number];

export function makeState() {
  const boards = makeBoards();
  return {
    me,
    boards,
    items: times(COUNT, (index) => item(boards, index)),
    /** By item; newest first. */
    updates: new Map(times(COUNT, (index) => [itemId(index), madeUpdates(index)])),
  };
}
export type State = ReturnType<typeof makeState>;
