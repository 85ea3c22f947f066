// Objects as in the real API, without optional fields that nothing reads: https://developers.asana.com/reference/tasks
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { noValues, ownFields } from "./custom-fields.ts";

export const named = (gid: string, resource_type: string, name: string) => ({ gid, resource_type, name });

type Named = ReturnType<typeof named>;

export const HOME = named("1201000000000001", "workspace", "Sandbox");
const PERSONAL = named("1201000000000002", "workspace", "Persönlich");
export const WORKSPACES = [HOME, PERSONAL];

export const ME = named("1202000000000001", "user", "Sandbox");
export const COLLEAGUE = named("1202000000000002", "user", "Zoë Müller");
export const account = {
  ...ME,
  email: "sandbox@example.com",
  photo: { image_128x128: "https://s3.amazonaws.com/profile_photos/sandbox_128x128.png" },
  workspaces: WORKSPACES,
};

export const TAGS = [named("1205000000000001", "tag", "grün"), named("1205000000000002", "tag", "Später 🌙")];

/** How many tasks are created in each project, and the earlier projects whose tasks it shares. */
const PLAN = [
  { name: "Launch", workspace: HOME, archived: false, created: 262 },
  { name: "日本語プロジェクト", workspace: HOME, archived: false, created: 31, shares: [0] },
  { name: "Empty", workspace: HOME, archived: false, created: 0 },
  { name: "Last year", workspace: HOME, archived: true, created: 6, shares: [0, 1] },
  { name: "Private", workspace: HOME, archived: false, created: 0, hidden: true },
  { name: "Garten", workspace: PERSONAL, archived: false, created: 14 },
];
/** Every ninth task of a project is also in the projects that share its tasks. */
const SHARED_EVERY = 9;
/** Tasks of each workspace that are in no project. */
const TASKS_WITHOUT_PROJECT = 5;

const projects = PLAN.map(({ name, workspace, archived, hidden = false }, index) => ({
  ...named(String(1203000000000001 + index), "project", name),
  archived,
  hidden,
  workspace,
  html_notes: archived ? "<body></body>" : `<body>Goals:<ul><li>${name}</li><li><em>soon</em></li></ul></body>`,
  permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${1203000000000001 + index}`,
}));
type SandboxProject = (typeof projects)[number];

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const mention = `<a href="https://app.asana.com/0/56789/list" data-asana-accessible="true" data-asana-dynamic="true" data-asana-type="user" data-asana-gid="${COLLEAGUE.gid}">@${COLLEAGUE.name}</a>`;

/** Rich text as Asana sends it: always valid XML, line breaks without a tag, mentions as links. */
function richNotes(index: number): string {
  const text = escapeXml(awkwardTexts[index % awkwardTexts.length]!);
  switch (index % 5) {
    case 0:
      return `<strong>Notes</strong> on ${index + 1}: Grüße &amp; <em>more</em>\n\n${text}`;
    case 1:
      return `See ${mention}, *not bold*\r\nand <a href="https://example.com/a?b=1&amp;c=2">this page</a>`;
    case 3:
      return `<h1>Plan</h1><ol><li>first</li><li><s>second</s></li></ol><code>a &lt; b</code>`;
    default:
      return text;
  }
}

const taskId = (index: number) => String(1204000000000001 + index * 7);

/** A task that has only its places. */
export const emptyTask = (gid: string, workspace: Named, inProjects: SandboxProject[], created_at: string) => ({
  gid,
  resource_type: "task",
  name: "",
  resource_subtype: "default_task",
  html_notes: "<body></body>",
  completed: false,
  completed_at: null as string | null,
  created_at,
  modified_at: created_at,
  due_on: null as string | null,
  due_at: null as string | null,
  assignee: null as Named | null,
  projects: inProjects.map((project) => named(project.gid, "project", project.name)),
  tags: [] as Named[],
  parent: null as Named | null,
  // A task has the fields of its projects, and a workspace that does not pay has none.
  custom_fields: workspace === HOME && inProjects.length > 0 ? noValues() : [],
  permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${inProjects[0]?.gid ?? ME.gid}/task/${gid}`,
  workspace,
});
export type SandboxTask = ReturnType<typeof emptyTask>;

function task(index: number, workspace: Named, inProjects: SandboxProject[], random: ReturnType<typeof seeded>) {
  const completed = index % 3 === 0;
  const empty = emptyTask(taskId(index), workspace, inProjects, hour(index).toISOString());
  return {
    ...empty,
    custom_fields: empty.custom_fields.length > 0 ? ownFields(index) : [],
    name:
      index % 10 === 7 ? awkwardTexts[random.int(awkwardTexts.length)]! : index % 41 === 40 ? "" : `Task ${index + 1}`,
    resource_subtype: index % 17 === 16 ? "milestone" : "default_task",
    html_notes: `<body>${index % 4 === 2 ? "" : richNotes(index)}</body>`,
    completed,
    completed_at: completed ? hour(index + 300).toISOString() : null,
    modified_at: hour(index + 400).toISOString(),
    due_on: index % 6 === 0 ? "2026-02-28" : index % 6 === 1 ? "2026-03-01" : null,
    due_at: index % 6 === 1 ? "2026-03-01T22:30:00.000Z" : null,
    assignee: index % 5 === 4 ? null : index % 5 === 1 ? ME : COLLEAGUE,
    tags: index % 8 === 0 ? [TAGS[0]!] : index % 16 === 4 ? [TAGS[1]!] : [],
    // A subtask is in a project only if somebody added it there.
    parent: index % 23 === 0 ? named(taskId(index + 1), "task", "Parent") : null,
  };
}

export const story = (gid: number, subtype: string, html_text: string, created_at: Date, created_by: Named | null) => ({
  gid: String(gid),
  resource_type: "story",
  type: subtype === "comment_added" ? "comment" : "system",
  resource_subtype: subtype,
  html_text,
  created_at: created_at.toISOString(),
  created_by,
});

/** What happened to a task. Only some of it is a comment. */
const storiesOf = (index: number) =>
  times(index === 0 ? 240 : index % 5, (nth) => {
    const subtype = nth % 2 === 1 ? "comment_added" : nth % 4 === 0 ? "marked_complete" : "assigned";
    // Asana itself is the author of some stories, and a sticker is a comment without text.
    const author = nth % 7 === 6 ? null : nth % 3 === 0 ? ME : COLLEAGUE;
    const comment = nth % 11 === 5 ? "" : nth % 4 === 1 ? `${mention} please\nlook` : richNotes(nth);
    const text = `<body>${nth % 2 === 1 ? comment : "marked this task complete"}</body>`;
    return story(1206000000000001 + index * 1000 + nth, subtype, text, hour(index + nth), author);
  });

/** Tasks in the order of their projects. A shared task lists all of its projects. */
export function makeState() {
  const random = seeded(11);
  const hidden = projects.find((project) => project.hidden)!;
  const tasks: SandboxTask[] = [];
  const add = (workspace: Named, inProjects: SandboxProject[]) =>
    tasks.push(task(tasks.length, workspace, inProjects, random));
  for (const [index, project] of projects.entries())
    times(PLAN[index]!.created, (nth) => {
      const sharedWith = projects.filter(
        (other, otherIndex) => PLAN[otherIndex]!.shares?.includes(index) && !other.hidden && nth % SHARED_EVERY === 0,
      );
      // The first project of a task may be one that the user cannot see.
      add(project.workspace, [...(nth % 20 === 19 ? [hidden] : []), project, ...sharedWith]);
    });
  for (const workspace of WORKSPACES) times(TASKS_WITHOUT_PROJECT, () => add(workspace, []));
  // A task in no project can only be found by its assignee.
  for (const task of tasks) if (task.projects.length === 0) task.assignee = ME;
  const stories = new Map(tasks.map(({ gid }, index) => [gid, storiesOf(index)]));
  // Copies, because projects can be changed.
  return { projects: projects.filter((project) => !project.hidden).map((one) => ({ ...one })), tasks, stories };
}
export type State = ReturnType<typeof makeState>;
