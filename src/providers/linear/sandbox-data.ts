// Values as the real API sends them: https://linear.app/developers/graphql
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

const SITE = "https://linear.app/sandbox";
const COUNT = 330;
const FOUNDED = hour(0).toISOString();

const uuid = (seed: number) =>
  seeded(seed * 7919 + 1)
    .hex(32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");

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

const PRIORITIES = ["No priority", "Urgent", "High", "Medium", "Low"];

const organization = { id: uuid(1), name: "Sandbox", urlKey: "sandbox", createdAt: FOUNDED, updatedAt: FOUNDED };

const person = (seed: number, name: string, displayName: string) => ({
  id: uuid(seed),
  name,
  displayName,
  email: `${displayName}@example.com`,
  active: true,
  admin: false,
  avatarUrl: null,
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
  }));

const DESCRIPTIONS = [
  null,
  "Steps:\n\n1. Open the page\n2. See **nothing**\n\n```ts\nthrow new Error();\n```",
  "",
  "Grüße, 世界 — \u202eright to left\u202c and 👩‍👩‍👧",
  `A long one. ${"All work and no play. ".repeat(120)}`,
];

/** Issues of two teams, newest first. Every eleventh has the same time as another one, and some are archived. */
export function makeState() {
  const viewer = person(2, "Sandra Box", "sandra");
  const people = [viewer, person(3, "Jürgen Groß", "juergen"), null];
  const teams = [
    { team: team(4, "ENG", "Engineering"), seed: 100 },
    { team: team(5, "OPS", "Öperations"), seed: 200 },
  ].map(({ team, seed }) => ({ team, states: statesOf(team, seed) }));

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
      description: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
      url: `${SITE}/issue/${identifier}/${number}`,
      branchName: `sandra/${identifier.toLowerCase()}`,
      priority: index % PRIORITIES.length,
      priorityLabel: PRIORITIES[index % PRIORITIES.length]!,
      estimate: index % 4 === 0 ? null : index % 8,
      state,
      team,
      creator: people[index % people.length]!,
      assignee: people[(index + 1) % people.length]!,
      createdAt,
      updatedAt,
      startedAt: state.type === "started" ? createdAt : null,
      completedAt: state.type === "completed" ? updatedAt : null,
      canceledAt: state.type === "canceled" ? updatedAt : null,
      archivedAt: index % 23 === 7 ? updatedAt : null,
    };
  };
  return { viewer, organization, issues: times(COUNT, issue).reverse() };
}
export type State = ReturnType<typeof makeState>;
export type SandboxIssue = State["issues"][number];
