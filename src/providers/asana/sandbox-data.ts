// Objects have the same fields as in the real API: https://developers.asana.com/reference/tasks
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
}));
export type SandboxProject = (typeof projects)[number];

function task(
  index: number,
  workspace: (typeof WORKSPACES)[0],
  inProjects: SandboxProject[],
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
    projects: inProjects.map(({ gid, name }) => named(gid, "project", name)),
    memberships: inProjects.map(({ gid, name }) => ({ project: named(gid, "project", name) })),
    tags: index % 8 === 0 ? [named("1205000000000001", "tag", "grün")] : [],
    parent: null,
    num_likes: 0,
    permalink_url: `https://app.asana.com/1/${workspace.gid}/project/${inProjects[0]?.gid ?? me.gid}/task/${gid}`,
    workspace: named(workspace.gid, "workspace", workspace.name),
  };
}
export type SandboxTask = ReturnType<typeof task>;

/** Tasks in the order of their projects. A shared task lists all of its projects. */
export function makeState() {
  const random = seeded(11);
  const hidden = projects.find((project) => project.hidden)!;
  const tasks: SandboxTask[] = [];
  const add = (workspace: (typeof WORKSPACES)[0], inProjects: SandboxProject[]) =>
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
  for (const task of tasks) if (task.projects.length === 0) task.assignee = named(me.gid, "user", me.name);
  return { projects: projects.filter((project) => !project.hidden), tasks };
}
export type State = ReturnType<typeof makeState>;
