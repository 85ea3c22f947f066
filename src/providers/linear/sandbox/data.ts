// Values as the real API sends them: https://linear.app/developers/graphql
import { awkwardTexts, hour, seeded, times, uuid } from "../../../emulator-kit/data.ts";

const SITE = "https://linear.app/sandbox";
const COUNT = 330;
const FOUNDED = hour(0).toISOString();

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

const organization = { id: uuid(1), name: "Sandbox", urlKey: "sandbox", createdAt: FOUNDED, updatedAt: FOUNDED };

const person = (seed: number, name: string, displayName: string) => ({
  id: uuid(seed),
  name,
  displayName,
  email: `${displayName}@example.com`,
  active: true,
  admin: false,
  avatarUrl: seed % 2 ? null : `https://public.linear.app/avatars/${displayName}.png`,
  url: `${SITE}/profiles/${displayName}`,
  organization,
  createdAt: FOUNDED,
  updatedAt: FOUNDED,
});

const team = (seed: number, key: string, name: string) => ({
  id: uuid(seed),
  key,
  name,
  createdAt: FOUNDED,
  updatedAt: FOUNDED,
  archivedAt: null,
});
type Team = ReturnType<typeof team>;

const statesOf = (team: Team, seed: number) =>
  STATES.map(([type, name], position) => ({
    id: uuid(seed + position),
    name,
    type,
    color: "#bec2c8",
    description: null,
    position,
    team,
    createdAt: FOUNDED,
    updatedAt: FOUNDED,
    archivedAt: null,
  }));

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
  color: "#bb87fc",
  createdAt: FOUNDED,
  updatedAt: FOUNDED,
  archivedAt: null,
});
/** Issues have the first two. The third is a group, which no issue can have. */
const LABELS = [label(301, "Bug"), label(302, "grüße 👋"), label(303, "Area", true)];

const project = (index: number, name: string, description: string) => ({
  id: uuid(400 + index),
  name,
  description,
  slugId: seeded(400 + index).hex(12),
  url: `${SITE}/project/${seeded(400 + index).hex(12)}`,
  createdAt: hour(100 - index).toISOString(),
  updatedAt: hour(200 + index).toISOString(),
  archivedAt: null,
});

/** Newest first. The first has most of the issues, the last one none. */
const PROJECTS = [
  project(0, "Launch 🚀", "Everything for\r\nthe *launch*"),
  project(1, "日本語のプロジェクト", ""),
  project(2, "Grüße & Co", "1. <b>not</b> a list"),
  project(3, "Empty", " "),
];

const BOT = { id: uuid(320), type: "github", name: "GitHub", userDisplayName: null };
const EXTERNAL_USER = {
  id: uuid(321),
  name: "Zoë in Slack",
  displayName: "zoe",
  createdAt: FOUNDED,
  updatedAt: FOUNDED,
};
const COMMENTS = [
  "Looks **good**.\n\n- [x] checked\n- [ ] shipped",
  "",
  "Grüße, 世界 👩‍👩‍👧\r\nsecond line",
  "> quoted\n\nsee [the guide](https://example.com/guide)",
];
/** The newest issues have many comments, and others have few or none. Those written later start without any. */
const commentCount = (index: number) => (index >= COUNT ? 0 : index >= COUNT - 3 ? 270 : index % 4);

/** Issues of two teams, newest first. Every eleventh has the same time as another one, and some are archived. */
export function makeState() {
  const viewer = person(2, "Sandra Box", "sandra");
  const people = [viewer, person(3, "Jürgen Groß", "juergen"), null];
  const teams = [
    { team: team(4, "ENG", "Engineering"), seed: 100 },
    { team: team(5, "OPS", "Öperations"), seed: 200 },
  ].map(({ team, seed }) => ({ team, states: statesOf(team, seed) }));

  // Copies, because projects can be changed.
  const projects = PROJECTS.map((one) => ({ ...one }));
  const issue = (index: number) => {
    const { team, states } = teams[index % 3 === 0 ? 1 : 0]!;
    const number = index + 1;
    const identifier = `${team.key}-${number}`;
    // Shifted by one in each round, so that every state occurs with every text.
    const state = states[(index + Math.floor(index / states.length)) % states.length]!;
    const createdAt = hour(index - (index % 11 === 0 ? 1 : 0)).toISOString();
    const updatedAt = hour(COUNT + ((index * 37) % COUNT)).toISOString();
    return {
      id: uuid(1000 + index),
      identifier,
      number,
      title: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : number}`.trim(),
      description: DESCRIPTIONS[index % DESCRIPTIONS.length] as string | null,
      url: `${SITE}/issue/${identifier}/${number}`,
      branchName: `sandra/${identifier.toLowerCase()}`,
      priority: index % PRIORITIES.length,
      priorityLabel: PRIORITIES[index % PRIORITIES.length]!,
      estimate: index % 4 === 0 ? null : index % 8,
      state,
      team,
      project: index % 5 === 4 ? null : projects[index % 5 === 3 ? 1 + (index % 2) : 0]!,
      parentId: index % 7 === 6 ? uuid(1000 + index - 1) : null,
      labels: LABELS.slice(0, index % 3),
      dueDate:
        index % 3 === 0
          ? hour(index + 700)
              .toISOString()
              .slice(0, 10)
          : null,
      creator: people[index % people.length]!,
      assignee: people[(index + 1) % people.length] as ReturnType<typeof person> | null,
      createdAt,
      updatedAt,
      archivedAt: index % 23 === 7 ? updatedAt : null,
      startedAt: state.type === "started" ? createdAt : null,
      completedAt: state.type === "completed" ? updatedAt : null,
      canceledAt: ["canceled", "duplicate"].includes(state.type) ? updatedAt : null,
    };
  };
  const makeComments = ({ number, url, createdAt }: Commented) =>
    times(commentCount(number - 1), (index) => {
      const time = new Date(Date.parse(createdAt) + index * 60_000).toISOString();
      const user = people[index % people.length]!;
      return {
        id: uuid(10_000 + number * 300 + index),
        body: COMMENTS[index % COMMENTS.length]!,
        url: `${url}#comment-${index}`,
        createdAt: time,
        updatedAt: time,
        archivedAt: null,
        parent: null,
        user,
        // Not by a member: by a bot, by somebody in another service, or by an account that no longer exists.
        externalUser: !user && index % 2 === 0 ? EXTERNAL_USER : null,
        botActor: !user && index % 4 === 1 ? BOT : null,
      };
    });

  const comments = new Map<string, ReturnType<typeof makeComments>>();
  /** Made when they are first read: there are more of them than of anything else. */
  function commentsOf(of: Commented) {
    const made = comments.get(of.id) ?? makeComments(of);
    comments.set(of.id, made);
    return made;
  }

  return {
    viewer,
    people: people.filter((one) => one !== null),
    organization,
    teams,
    labels: LABELS,
    projects,
    issues: times(COUNT, issue).reverse(),
    commentsOf,
  };
}

type Commented = { id: string; number: number; url: string; createdAt: string };
export type State = ReturnType<typeof makeState>;
export type SandboxIssue = State["issues"][number];
export type SandboxProject = State["projects"][number];
