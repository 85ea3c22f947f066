// Objects have the same fields as in the real API: https://developer.clickup.com/reference/getfilteredteamtasks
import { alike, awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { ownFields } from "./custom-fields.ts";

const member = (id: number, username: string | null, email: string, profilePicture: string | null = null) => ({
  id,
  username,
  color: "#7b68ee",
  email,
  profilePicture,
});
type Member = ReturnType<typeof member>;

const PICTURE = "https://attachments.clickup.com/profilePictures/183_abc.jpg";
export const me = member(183, "Sandbox", "sandbox@example.com", PICTURE);
export const MEMBERS = [me, member(184, "Zoë Müller", "zoe@example.com"), member(185, null, "invited@example.com")];

export const STATUSES = [
  { id: "sc901_1", status: "to do", color: "#87909e", orderindex: 0, type: "open" },
  { id: "sc901_2", status: "in Prüfung", color: "#5f55ee", orderindex: 1, type: "custom" },
  { id: "sc901_3", status: "complete", color: "#008844", orderindex: 2, type: "closed" },
  { id: "sc901_4", status: "released 🚀", color: "#008844", orderindex: 3, type: "done" },
];

/** From 1 to 4. */
export const priority = (id: number) => ({
  color: "#6fddff",
  id: String(id),
  orderindex: String(id),
  priority: ["urgent", "high", "normal", "low"][id - 1]!,
});

/** How many tasks each workspace has: one has a long list, one is empty. */
const PLAN = [
  { id: "9015001", name: "Sandbox", tasks: 279 },
  { id: "9015002", name: "Empty", tasks: 0 },
  { id: "9015003", name: "日本語", tasks: 23 },
];
const members = MEMBERS.map((user) => ({ user }));
export const TEAMS = PLAN.map(({ id, name }) => ({ id, name, color: "#536cfe", avatar: null, members }));

/** Lists of each workspace, in a folder or directly in a space. The first has most of the tasks, one is empty. */
export const SPRINT = { team: "9015001", space: "90130001", folder: "90110001" };
export const LISTS = [
  { id: "901200001", name: "Liste", ...SPRINT, content: "Alles *hier*\r\n" },
  { id: "901200002", name: "Empty", ...SPRINT, content: null },
  { id: "901200003", name: "Backlog & ideas", ...SPRINT, folder: null, content: "" },
  { id: "901200004", name: "リスト", team: "9015003", space: "90130003", folder: null, content: "1. not a list" },
];
type ListPlan = (typeof LISTS)[number];

/** A list without a folder is in a hidden one. */
const folderOf = ({ folder }: ListPlan) => ({
  id: folder ?? "90110000",
  name: folder === null ? "hidden" : "Sprint 1",
  hidden: folder === null,
  access: true,
});

const listOf = (plan: ListPlan, orderindex: number) => ({
  id: plan.id,
  name: plan.name,
  orderindex,
  content: plan.content,
  ...alike("status priority assignee due_date start_date", null),
  task_count: "0",
  folder: folderOf(plan),
  space: { id: plan.space, name: "Space", access: true },
  archived: false,
  override_statuses: false,
  permission_level: "create",
});

export const SPACES = [...new Set(LISTS.map(({ space }) => space))].map((id) => ({
  id,
  name: "Space",
  private: false,
  statuses: STATUSES,
  multiple_assignees: true,
  features: {
    due_dates: { enabled: true, start_date: false, remap_due_dates: true, remap_closed_due_date: false },
    ...alike("tags checklists", { enabled: true }),
    ...alike("time_tracking time_estimates", { enabled: false }),
  },
}));

/** The same text in Markdown and as plain text. Null for a task that never had a description. */
function textOf(index: number): [markdown: string | null, plain: string | null] {
  const awkward = awkwardTexts[index % awkwardTexts.length]!;
  if (index % 7 === 3) return [null, null];
  if (index % 4 === 1) return ["", ""];
  const text = `Text of ${index + 1}\n`;
  return index % 5 === 0
    ? [`**Text** of ${index + 1}\r\n\r\n* one\r\n* two\r\n`, `${text}one\ntwo`]
    : [`${text}\n${awkward}`, text + awkward];
}

export interface Piece {
  text: string;
  type?: string;
  user?: object;
  attributes?: object;
}
const bulletEnd = { text: "\n", attributes: { list: { list: "bullet" } } };
const codeEnd = { text: "\n", attributes: { "code-block": { "code-block": "plain" } } };

/** The pieces of comments: formats of words on the words, those of a line on its line break. */
const PIECES: Piece[][] = [
  [
    { text: "@Zoë Müller", type: "tag", user: { id: 184, username: "Zoë Müller", email: "zoe@example.com" } },
    { text: " see " },
    { text: "this", attributes: { link: "https://example.com/?a=1&b=2" } },
    { text: "\n" },
  ],
  [{ text: "first" }, bulletEnd, { text: "bold", attributes: { bold: true } }, bulletEnd],
  [{ text: "if (a < b)" }, codeEnd, { text: "  return;" }, codeEnd],
  [{ text: "" }],
];
const piecesOf = (index: number): Piece[] =>
  PIECES[(index % 5) - 1] ?? [{ text: `${awkwardTexts[index % awkwardTexts.length]} *as typed*\r\n` }];

export const comment = (id: number, pieces: Piece[], user: Member, time: number) => ({
  id: String(id),
  comment: pieces,
  comment_text: pieces.map(({ text }) => text).join(""),
  user: { ...user, initials: "S" },
  resolved: false,
  ...alike("assignee assigned_by", null),
  reactions: [],
  date: String(time),
});

/** Newest first. Two are written at the same time. */
const commentsOf = (count: number) =>
  times(count, (nth) => {
    const time = hour(1000 - Math.floor(nth / 2)).getTime();
    return comment(90150000000 + count - nth, piecesOf(nth), MEMBERS[nth % MEMBERS.length]!, time);
  });

export const tag = (name: string) => ({ name, tag_fg: "#fff", tag_bg: "#080" });

const taskId = (index: number) => `86${(1_000_000 + index * 7919).toString(36)}`;

export function task(index: number, plan: ListPlan, random: ReturnType<typeof seeded>) {
  const id = taskId(index);
  const status = STATUSES[index % STATUSES.length]!;
  const closed = status.type === "closed";
  const done = closed || status.type === "done";
  const at = (hours: number) => String(hour(hours).getTime() + index);
  const [markdown_description, text_content] = textOf(index);
  const folder = folderOf(plan);
  return {
    id,
    custom_id: index % 6 === 0 ? `SAND-${index + 1}` : null,
    name: index % 11 === 5 ? awkwardTexts[random.int(awkwardTexts.length)]! : `Task ${index + 1}`,
    text_content,
    description: text_content,
    markdown_description,
    status,
    orderindex: `${index}.00000000000000000000000000000000`,
    date_created: at(index),
    date_updated: at(index + 200),
    date_closed: closed ? at(index + 150) : null,
    date_done: done ? at(index + 140) : null,
    creator: random.pick(MEMBERS),
    assignees: index % 3 === 1 ? [] : [random.pick(MEMBERS)],
    watchers: [me],
    tags: index % 5 === 3 ? [tag("grün")] : [],
    parent: null as string | null,
    priority: index % 4 === 0 ? null : priority(index % 4 === 1 ? 2 : 3),
    due_date: index % 6 === 2 ? at(index + 600) : null,
    ...alike("start_date points time_estimate", null),
    ...alike("checklists dependencies linked_tasks", []),
    // Of the workspace.
    custom_fields: plan.team === SPRINT.team ? ownFields(index) : [],
    locations: [] as { id: string; name: string }[],
    team_id: plan.team,
    url: `https://app.clickup.com/t/${id}`,
    permission_level: "create",
    list: { id: plan.id, name: plan.name, access: true },
    project: folder,
    folder,
    space: { id: plan.space },
  };
}
export type SandboxTask = ReturnType<typeof task>;

/** Tasks of each workspace, newest first; every ninth is a subtask of the one before it. */
export function makeState() {
  const random = seeded(5);
  let index = -1;
  const tasks = PLAN.flatMap(({ id: team, tasks: count }) => {
    const [first, , last] = LISTS.filter((list) => list.team === team);
    const own = times(count, (nth) => {
      index += 1;
      const made = task(index, nth % 4 === 3 ? (last ?? first!) : first!, random);
      if (nth % 9 === 8) made.parent = taskId(index - 1);
      // A task can be shown in further lists.
      if (nth % 10 === 0 && last) made.locations.push({ id: last.id, name: last.name });
      return made;
    });
    return own.reverse();
  });
  const comments = new Map(tasks.map(({ id }, nth) => [id, commentsOf(nth === 0 ? 63 : nth % 4)]));
  return { tasks, lists: LISTS.map(listOf), comments };
}
export type State = ReturnType<typeof makeState>;
