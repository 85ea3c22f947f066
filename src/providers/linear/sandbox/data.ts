// Values as the real API sends them: https://linear.app/developers/graphql
import { awkwardTexts, hour, seeded, times, toDay, uuid } from "../../../emulator-kit/index.ts";

const SITE = "https://linear.app/sandbox";
const COUNT = 330;
const timesOf = (createdAt: string, updatedAt = createdAt) => ({
  createdAt,
  updatedAt,
  archivedAt: null as string | null,
});
const FOUNDED = timesOf(hour(0).toISOString());

/** Every type of state in Linear, each with its default name in a new team. */
const STATES = [
  ["triage", "Triage"],
  ["backlog", "Backlog"],
  ["unstarted", "Todo"],
  ["started", "In Progress"],
  ["started", "In Prüfung 🔎"],
  ["completed", "Done"],
  ["canceled", "Canceled"],
  ["duplicate", "Duplicate"],
] as const;

export const PRIORITIES = ["No priority", "Urgent", "High", "Medium", "Low"];

const person = (seed: number, name: string, displayName: string) => ({
  id: uuid(seed),
  name,
  displayName,
  email: `${displayName}@example.com`,
  avatarUrl: seed % 2 ? null : `https://public.linear.app/avatars/${displayName}.png`,
  organization: { id: uuid(1), name: "Sandbox", urlKey: "sandbox" },
});
type Person = ReturnType<typeof person>;

const team = (seed: number, key: string, name: string, firstState: number) => ({
  id: uuid(seed),
  key,
  name,
  ...FOUNDED,
  states: STATES.map(([type, name], position) => ({ id: uuid(firstState + position), name, type, ...FOUNDED })),
});
export type Team = ReturnType<typeof team>;

const DESCRIPTIONS = [
  null,
  "Steps:\n\n1. Open the page\n2. See **nothing**\n\n```ts\nthrow new Error();\n```",
  "",
  "Grüße, 世界 — \u202eright to left\u202c and 👩‍👩‍👧",
  `A long one. ${"All work and no play. ".repeat(120)}`,
];

const label = (seed: number, name: string, isGroup = false) => ({
  id: uuid(seed),
  name,
  isGroup,
  team: null as Team | null,
  ...FOUNDED,
});
/** Issues have the first two. The third is a group, which no issue can have. */
const LABELS = [label(301, "Bug"), label(302, "grüße 👋"), label(303, "Area", true)];

const project = (index: number, name: string, description: string) => ({
  id: uuid(400 + index),
  name,
  description,
  url: `${SITE}/project/${seeded(400 + index).hex(12)}`,
  ...timesOf(hour(100 - index).toISOString(), hour(200 + index).toISOString()),
});

/** Newest first. The first has most of the issues, the last one none. */
const makeProjects = () => [
  project(0, "Launch 🚀", "Everything for\r\nthe *launch*"),
  project(1, "日本語のプロジェクト", ""),
  project(2, "Grüße & Co", "1. <b>not</b> a list"),
  project(3, "Empty", " "),
];
export type SandboxProject = ReturnType<typeof project>;

const BOT = { id: uuid(320), name: "GitHub", userDisplayName: null };
const EXTERNAL_USER = { id: uuid(321), name: "Zoë in Slack", displayName: "zoe" };
const COMMENTS = [
  "Looks **good**.\n\n- [x] checked\n- [ ] shipped",
  "",
  "Grüße, 世界 👩‍👩‍👧\r\nsecond line",
  "> quoted\n\nsee [the guide](https://example.com/guide)",
];
/** The newest issues have many comments, and others have few or none. Those written later start without any. */
const commentCount = (index: number) => (index >= COUNT ? 0 : index >= COUNT - 3 ? 270 : index % 4);

/** What follows from the team and the number of an issue. */
export function issueNumber(team: Team, number: number) {
  const identifier = `${team.key}-${number}`;
  return { number, identifier, url: `${SITE}/issue/${identifier}/${number}`, team };
}

/** An issue without anything that somebody may set. */
export const blankIssue = (team: Team, number: number) => ({
  ...issueNumber(team, number),
  description: null as string | null,
  priority: 0,
  priorityLabel: PRIORITIES[0]!,
  state: team.states[1]!,
  project: null as SandboxProject | null,
  parentId: null as string | null,
  labels: [] as typeof LABELS,
  dueDate: null as string | null,
  assignee: null as Person | null,
  ...timesOf(new Date().toISOString()),
  completedAt: null as string | null,
  canceledAt: null as string | null,
});
export type SandboxIssue = ReturnType<typeof blankIssue> & { id: string; title: string };

export const newComment = (time: string) => ({
  ...timesOf(time),
  parent: null,
  user: null as Person | null,
  externalUser: null as typeof EXTERNAL_USER | null,
  botActor: null as typeof BOT | null,
});
type SandboxComment = ReturnType<typeof newComment> & Record<"id" | "body" | "url", string>;

/** Issues of two teams, newest first. Every eleventh has the same time as another one, and some are archived. */
export function makeState() {
  const viewer = person(2, "Sandra Box", "sandra");
  const people = [viewer, person(3, "Jürgen Groß", "juergen")];
  const personOrNobody = (index: number) => people[index % 3] ?? null;
  const teams = [team(4, "ENG", "Engineering", 100), team(5, "OPS", "Öperations", 200)];
  const projects = makeProjects();

  function issue(index: number): SandboxIssue {
    const number = index + 1;
    const team = teams[index % 3 === 0 ? 1 : 0]!;
    // Shifted by one in each round, so that every state occurs with every text.
    const state = team.states[(index + Math.floor(index / STATES.length)) % STATES.length]!;
    const createdAt = hour(index - (index % 11 === 0 ? 1 : 0)).toISOString();
    const updatedAt = hour(COUNT + ((index * 37) % COUNT)).toISOString();
    return {
      ...issueNumber(team, number),
      id: uuid(1000 + index),
      title: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : number}`.trim(),
      description: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
      priority: index % PRIORITIES.length,
      priorityLabel: PRIORITIES[index % PRIORITIES.length]!,
      state,
      project: index % 5 === 4 ? null : projects[index % 5 === 3 ? 1 + (index % 2) : 0]!,
      parentId: index % 7 === 6 ? uuid(1000 + index - 1) : null,
      labels: LABELS.slice(0, index % 3),
      dueDate: index % 3 === 0 ? toDay(hour(index + 700)) : null,
      assignee: personOrNobody(index + 1),
      createdAt,
      updatedAt,
      archivedAt: index % 23 === 7 ? updatedAt : null,
      completedAt: state.type === "completed" ? updatedAt : null,
      canceledAt: ["canceled", "duplicate"].includes(state.type) ? updatedAt : null,
    };
  }

  const makeComments = ({ number, url, createdAt }: SandboxIssue) =>
    times(commentCount(number - 1), (index): SandboxComment => {
      const user = personOrNobody(index);
      return {
        ...newComment(new Date(Date.parse(createdAt) + index * 60_000).toISOString()),
        id: uuid(10_000 + number * 300 + index),
        body: COMMENTS[index % COMMENTS.length]!,
        url: `${url}#comment-${index}`,
        user,
        // Not by a member: by a bot, by somebody in another service, or by an account that no longer exists.
        externalUser: !user && index % 2 === 0 ? EXTERNAL_USER : null,
        botActor: !user && index % 4 === 1 ? BOT : null,
      };
    });

  const comments = new Map<string, SandboxComment[]>();
  /** Made when they are first read: there are more of them than of anything else. */
  function commentsOf(issue: SandboxIssue) {
    const made = comments.get(issue.id) ?? makeComments(issue);
    comments.set(issue.id, made);
    return made;
  }

  return { viewer, people, teams, labels: LABELS, projects, issues: times(COUNT, issue).reverse(), commentsOf };
}
export type State = ReturnType<typeof makeState>;
