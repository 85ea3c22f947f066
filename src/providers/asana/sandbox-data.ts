// Shapes as the real API sends them: https://developers.asana.com/reference/tasks
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

const named = (gid: string, resource_type: string, name: string) => ({ gid, resource_type, name });

export const WORKSPACES = [
  { ...named("1201000000000001", "workspace", "Sandbox"), is_organization: true, email_domains: ["example.com"] },
  { ...named("1201000000000002", "workspace", "Persönlich"), is_organization: false, email_domains: [] },
];
const [HOME, PERSONAL] = WORKSPACES as [(typeof WORKSPACES)[0], (typeof WORKSPACES)[0]];

export const me = {
  ...named("1202000000000001", "user", "Sandbox"),
  email: "sandbox@example.com",
  photo: null,
  workspaces: WORKSPACES.map(({ gid, name }) => named(gid, "workspace", name)),
};
const COLLEAGUE = named("1202000000000002", "user", "Zoë Müller");

/** How many tasks each project has of its own, and which of the projects before it share tasks with it. */
const PLAN = [
  { name: "Launch", workspace: HOME, archived: false, own: 262 },
  { name: "日本語プロジェクト", workspace: HOME, archived: false, own: 31, shares: [0] },
  { name: "Empty", workspace: HOME, archived: false, own: 0 },
  { name: "Last year", workspace: HOME, archived: true, own: 6, shares: [0, 1] },
  { name: "Private", workspace: HOME, archived: false, own: 0, hidden: true },
  { name: "Garten", workspace: PERSONAL, archived: false, own: 14 },
];
/** Tasks of projects that a later one shares: every so many-th. */
const SHARED = 9;
/** Tasks in no project at all, in each workspace. */
const LOOSE = 5;

const projects = PLAN.map(({ name, workspace, archived, hidden = false }, index) => ({
  ...named(String(1203000000000001 + index), "project", name),
  archived,
  hidden,
  workspace,
}));
export type SandboxProject = (typeof projects)[number];

function task(
  index: number,
  workspace: (typeof WORKSPACES)[0],
  own: SandboxProject[],
  random: ReturnType<typeof seeded>,
) {
  const gid = String(1204000000000001 + index * 7);
  const completed = index % 3 === 0;
  const assignee = index % 5 === 0 ? null : index % 5 === 1 ? me : COLLEAGUE;
  const created_at = hour(index).toISOString();
  return {
    gid,
    resource_type: "task",
    name:
      index % 10 === 7 ? awkwardTexts[random.int(awkwardTexts.length)]! : index % 41 === 40 ? "" : `Task ${index + 1}`,
    resource_subtype: index % 17 === 16 ? "milestone" : "default_task",
    notes: index % 4 === 2 ? "" : `Notes on ${index + 1}: Grüße & <b>more</b>`,
    completed,
    completed_at: completed ? hour(index + 300).toISOString() : null,
    created_at,
    modified_at: hour(index + 400).toISOString(),
    due_on: index % 6 === 0 ? "2026-02-28" : null,
    assignee: assignee && named(assignee.gid, "user", assignee.name),
    projects: own.map(({ gid, name }) => named(gid, "project", name)),
    memberships: own.map(({ gid, name }) => ({ project: named(gid, "project", name) })),
    tags: index % 8 === 0 ? [named("1205000000000001", "tag", "grün")] : [],
    parent: null,
    num_likes: 0,
    permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${own[0]?.gid ?? me.gid}/task/${gid}`,
    workspace: named(workspace.gid, "workspace", workspace.name),
  };
}
export type SandboxTask = ReturnType<typeof task>;

/** Tasks in the order of their projects; those that are shared stand in all of theirs. */
export function makeState() {
  const random = seeded(11);
  const hidden = projects.find((project) => project.hidden)!;
  const tasks: SandboxTask[] = [];
  const add = (workspace: (typeof WORKSPACES)[0], own: SandboxProject[]) =>
    tasks.push(task(tasks.length, workspace, own, random));
  for (const [index, project] of projects.entries())
    times(PLAN[index]!.own, (nth) => {
      const later = projects.filter(
        (other, at) => PLAN[at]!.shares?.includes(index) && !other.hidden && nth % SHARED === 0,
      );
      // A project that the user cannot see may come first among a task's own.
      add(project.workspace, [...(nth % 20 === 19 ? [hidden] : []), project, ...later]);
    });
  for (const workspace of WORKSPACES) times(LOOSE, () => add(workspace, []));
  // What is in no project can only be found by its assignee.
  for (const loose of tasks) if (loose.projects.length === 0) loose.assignee = named(me.gid, "user", me.name);
  return { projects: projects.filter((project) => !project.hidden), tasks };
}
export type State = ReturnType<typeof makeState>;
