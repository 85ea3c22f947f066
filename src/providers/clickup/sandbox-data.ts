// Objects have the same fields as in the real API: https://developer.clickup.com/reference/getfilteredteamtasks
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

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

export const me = member(183, "Sandbox", "sandbox@example.com");
const MEMBERS = [me, member(184, "Zoë Müller", "zoe@example.com"), member(185, null, "invited@example.com")];

const STATUSES = [
  { id: "sc901_1", status: "to do", color: "#87909e", orderindex: 0, type: "open" },
  { id: "sc901_2", status: "in Prüfung", color: "#5f55ee", orderindex: 1, type: "custom" },
  { id: "sc901_3", status: "complete", color: "#008844", orderindex: 2, type: "closed" },
];

/** How many tasks each workspace has: one has a long list, one is empty. */
const PLAN = [
  { id: "9015001", name: "Sandbox", tasks: 287 },
  { id: "9015002", name: "Empty", tasks: 0 },
  { id: "9015003", name: "日本語", tasks: 23 },
];

function task(index: number, team: string, parent: string | null, random: ReturnType<typeof seeded>) {
  const id = `86${(1_000_000 + index * 7919).toString(36)}`;
  const status = STATUSES[index % STATUSES.length]!;
  const closed = status.type === "closed";
  const at = (hours: number) => String(hour(hours).getTime() + index);
  const text = index % 4 === 1 ? "" : `Text of ${index + 1}\n${awkwardTexts[index % awkwardTexts.length]}`;
  const folder = { id: "90110001", name: "hidden", hidden: true, access: true };
  return {
    id,
    custom_id: index % 6 === 0 ? `SAND-${index + 1}` : null,
    name: index % 11 === 5 ? awkwardTexts[random.int(awkwardTexts.length)]! : `Task ${index + 1}`,
    // Null for a task that never had a description.
    text_content: index % 7 === 3 ? null : text,
    description: index % 7 === 3 ? null : text,
    status,
    orderindex: `${index}.00000000000000000000000000000000`,
    date_created: at(index),
    date_updated: at(index + 200),
    date_closed: closed ? at(index + 150) : null,
    date_done: closed ? at(index + 150) : null,
    creator: random.pick(MEMBERS),
    assignees: index % 3 === 0 ? [] : [random.pick(MEMBERS)],
    watchers: [me],
    checklists: [],
    tags: index % 5 === 0 ? [{ name: "grün", tag_fg: "#fff", tag_bg: "#080" }] : [],
    parent,
    priority: index % 4 === 0 ? null : { color: "#6fddff", id: "3", orderindex: "3", priority: "normal" },
    due_date: index % 6 === 0 ? at(index + 600) : null,
    start_date: null,
    points: null,
    time_estimate: null,
    custom_fields: [],
    dependencies: [],
    linked_tasks: [],
    locations: [],
    team_id: team,
    url: `https://app.clickup.com/t/${id}`,
    permission_level: "create",
    list: { id: "901200001", name: "Liste", access: true },
    project: folder,
    folder,
    space: { id: "90130001" },
  };
}
export type SandboxTask = ReturnType<typeof task>;

/** Tasks of each workspace, newest first; every ninth is a subtask of the one before it. */
export function makeState() {
  const random = seeded(5);
  let index = 0;
  return PLAN.map(({ id, name, tasks: count }) => {
    const tasks: SandboxTask[] = [];
    times(count, (nth) => {
      const parent = nth % 9 === 8 ? tasks.at(-1)!.id : null;
      tasks.push(task(index++, id, parent, random));
    });
    return {
      team: {
        id,
        name,
        color: "#536cfe",
        avatar: null,
        members: MEMBERS.map((user) => ({ user })),
      },
      tasks: tasks.reverse(),
    };
  });
}
export type State = ReturnType<typeof makeState>;
