// Objects have the same fields as in the real API: https://developer.clickup.com/reference/getfilteredteamtasks
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

interface Member {
  id: number;
  username: string | null;
  color: string;
  email: string;
  profilePicture: string | null;
}

const member = (id: number, username: string | null, email: string): Member => ({
  id,
  username,
  color: "#7b68ee",
  email,
  profilePicture: null,
});

export const me = {
  ...member(183, "Sandbox", "sandbox@example.com"),
  profilePicture: "https://attachments.clickup.com/profilePictures/183_abc.jpg",
};
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

/** Lists of each workspace, in a folder or directly in a space. The first has most of the tasks, one is empty. */
export const LISTS = [
  {
    id: "901200001",
    name: "Liste",
    team: "9015001",
    space: "90130001",
    folder: "90110001",
    content: "Alles *hier*\r\n",
  },
  { id: "901200002", name: "Empty", team: "9015001", space: "90130001", folder: "90110001", content: null },
  { id: "901200003", name: "Backlog & ideas", team: "9015001", space: "90130001", folder: null, content: "" },
  { id: "901200004", name: "リスト", team: "9015003", space: "90130003", folder: null, content: "1. not a list" },
];
type ListPlan = (typeof LISTS)[number];

/** A list without a folder is in a hidden one. */
const folderOf = ({ folder }: ListPlan) =>
  folder === null
    ? { id: "90110000", name: "hidden", hidden: true, access: true }
    : { id: folder, name: "Sprint 1", hidden: false, access: true };

const listOf = (plan: ListPlan, index: number) => ({
  id: plan.id,
  name: plan.name,
  orderindex: index,
  content: plan.content,
  status: null,
  priority: null,
  assignee: null,
  task_count: "0",
  due_date: null,
  start_date: null,
  folder: folderOf(plan),
  space: { id: plan.space, name: "Space", access: true },
  archived: false,
  override_statuses: false,
  permission_level: "create",
});

const spaceOf = (id: string) => ({
  id,
  name: "Space",
  private: false,
  statuses: STATUSES,
  multiple_assignees: true,
  features: {
    due_dates: { enabled: true, start_date: false, remap_due_dates: true, remap_closed_due_date: false },
    time_tracking: { enabled: false },
    tags: { enabled: true },
    time_estimates: { enabled: false },
    checklists: { enabled: true },
  },
});

/** The same text in Markdown and as plain text. Null for a task that never had a description. */
function textOf(index: number) {
  const awkward = awkwardTexts[index % awkwardTexts.length]!;
  if (index % 7 === 3) return { markdown: null, plain: null };
  if (index % 4 === 1) return { markdown: "", plain: "" };
  if (index % 5 === 0)
    return { markdown: `**Text** of ${index + 1}\r\n\r\n* one\r\n* two\r\n`, plain: `Text of ${index + 1}\none\ntwo` };
  return { markdown: `Text of ${index + 1}\n\n${awkward}`, plain: `Text of ${index + 1}\n${awkward}` };
}

/** The pieces of a comment: formats of words on the words, those of a line on its line break. */
function piecesOf(index: number) {
  switch (index % 5) {
    case 1:
      return [
        { text: "@Zoë Müller", type: "tag", user: { id: 184, username: "Zoë Müller", email: "zoe@example.com" } },
        { text: " see " },
        { text: "this", attributes: { link: "https://example.com/?a=1&b=2" } },
        { text: "\n" },
      ];
    case 2:
      return [
        { text: "first" },
        { text: "\n", attributes: { list: { list: "bullet" } } },
        { text: "bold", attributes: { bold: true } },
        { text: "\n", attributes: { list: { list: "bullet" } } },
      ];
    case 3:
      return [
        { text: "if (a < b)" },
        { text: "\n", attributes: { "code-block": { "code-block": "plain" } } },
        { text: "  return;" },
        { text: "\n", attributes: { "code-block": { "code-block": "plain" } } },
      ];
    case 4:
      return [{ text: "" }];
    default:
      return [{ text: `${awkwardTexts[index % awkwardTexts.length]} *as typed*\r\n` }];
  }
}

/** Newest first. */
const commentsOf = (count: number) =>
  times(count, (nth) => {
    const comment: { text: string; attributes?: object }[] = piecesOf(nth);
    return {
      id: String(90150000000 + count - nth),
      comment,
      comment_text: comment.map(({ text }) => text).join(""),
      user: { ...MEMBERS[nth % MEMBERS.length]!, initials: "S" },
      resolved: false,
      assignee: null,
      assigned_by: null,
      reactions: [],
      // Two are written at the same time.
      date: String(hour(1000 - Math.floor(nth / 2)).getTime()),
    };
  });

export function task(
  index: number,
  plan: ListPlan,
  alsoIn: ListPlan | undefined,
  parent: string | null,
  random: ReturnType<typeof seeded>,
) {
  const id = `86${(1_000_000 + index * 7919).toString(36)}`;
  const status = STATUSES[index % STATUSES.length]!;
  const closed = status.type === "closed";
  const done = closed || status.type === "done";
  const at = (hours: number) => String(hour(hours).getTime() + index);
  const { markdown, plain } = textOf(index);
  const folder = folderOf(plan);
  return {
    id,
    custom_id: index % 6 === 0 ? `SAND-${index + 1}` : null,
    name: index % 11 === 5 ? awkwardTexts[random.int(awkwardTexts.length)]! : `Task ${index + 1}`,
    text_content: plain as string | null,
    description: plain as string | null,
    markdown_description: markdown as string | null,
    status,
    orderindex: `${index}.00000000000000000000000000000000`,
    date_created: at(index),
    date_updated: at(index + 200),
    date_closed: closed ? at(index + 150) : null,
    date_done: done ? at(index + 140) : null,
    creator: random.pick(MEMBERS),
    assignees: index % 3 === 1 ? [] : [random.pick(MEMBERS)],
    watchers: [me],
    checklists: [],
    tags: index % 5 === 3 ? [{ name: "grün", tag_fg: "#fff", tag_bg: "#080" }] : [],
    parent,
    priority: index % 4 === 0 ? null : priority(index % 4 === 1 ? 2 : 3),
    due_date: index % 6 === 2 ? at(index + 600) : null,
    start_date: null,
    points: null,
    time_estimate: null,
    custom_fields: [],
    dependencies: [],
    linked_tasks: [],
    locations: alsoIn ? [{ id: alsoIn.id, name: alsoIn.name }] : [],
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
  let index = 0;
  const workspaces = PLAN.map(({ id, name, tasks: count }) => {
    const lists = LISTS.filter(({ team }) => team === id);
    const [first, , last] = lists;
    const tasks: SandboxTask[] = [];
    times(count, (nth) => {
      const parent = nth % 9 === 8 ? tasks.at(-1)!.id : null;
      const plan = nth % 4 === 3 ? (last ?? first!) : first!;
      // A task can be shown in further lists.
      tasks.push(task(index++, plan, nth % 10 === 0 ? last : undefined, parent, random));
    });
    return {
      team: {
        id,
        name,
        color: "#536cfe",
        avatar: null,
        members: MEMBERS.map((user) => ({ user })),
      },
      spaces: [...new Set(lists.map(({ space }) => space))].map(spaceOf),
      tasks: tasks.reverse(),
    };
  });
  const tasks = workspaces.flatMap((workspace) => workspace.tasks);
  return {
    workspaces,
    lists: LISTS.map(listOf),
    comments: new Map(tasks.map(({ id }, nth) => [id, commentsOf(nth === 0 ? 63 : nth % 4)])),
  };
}
export type State = ReturnType<typeof makeState>;
