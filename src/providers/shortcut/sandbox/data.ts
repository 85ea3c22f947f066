// Values as the real API sends them: https://developer.shortcut.com/api/rest/v3
import { alike, awkwardTexts, hour, times, toSecond, uuid } from "../../../emulator-kit/index.ts";
import { ownFields } from "./custom-fields.ts";

const SITE = "https://app.shortcut.com/sandbox";
const COUNT = 330;
/** The stories are spread over two years, and every 24th is made at midnight. */
const HOURS_BETWEEN = 53;

/** Times have no fraction of a second. */
const time = (hours: number) => toSecond(hour(hours));
const FOUNDED = { created_at: time(0), updated_at: time(0) };

/** What records of every kind start with. A global id has an abbreviation of the type. */
const entity = <Id extends string | number>(entity_type: string, id: Id, abbreviation: string) => ({
  entity_type,
  id,
  global_id: `v2:${abbreviation}:${uuid(1)}:${id}`,
  ...FOUNDED,
});

const icon = {
  entity_type: "icon",
  id: uuid(300),
  url: "https://cdn.app.shortcut.com/api/attachments/files/clubhouse-assets/sandbox.png",
  ...FOUNDED,
};

const member = (index: number, mention_name: string, name: string | null, disabled = false) => ({
  ...entity("member", uuid(100 + index), "m"),
  role: index === 0 ? "owner" : "member",
  state: disabled ? "disabled" : "full",
  disabled,
  created_without_invite: index === 0,
  group_ids: [],
  profile: {
    entity_type: "profile",
    id: uuid(200 + index),
    deactivated: disabled,
    mention_name,
    name,
    is_owner: index === 0,
    gravatar_hash: null,
    email_address: disabled ? null : `${mention_name}@example.com`,
    display_icon: index === 0 ? icon : null,
  },
});

/** The first is the token's own. One has no name, and one has left. */
export const members = [
  member(0, "sandra", "Sandra Box"),
  member(1, "zoe", "Zoë Müller"),
  member(2, "noname", null),
  member(3, "gone", "Jürgen Groß", true),
];

export const workspace = {
  id: uuid(1),
  name: "Sandbox",
  url_slug: "sandbox",
  created_at: time(0),
  default_workflow_id: 500_000_001,
  estimate_scale: [0, 1, 2, 4, 8],
  utc_offset: "+01:00",
};

/** Every type of state, and one of a type that is not documented. */
const STATES = [
  ["backlog", "Backlog"],
  ["unstarted", "To Do"],
  ["started", "In Progress"],
  ["started", "In Prüfung 🔎"],
  ["done", "Done"],
  ["icebox", "On ice"],
] as const;

const workflow = (index: number, name: string) => ({
  entity_type: "workflow",
  id: 500_000_001 + index,
  name,
  description: "",
  team_id: index + 1,
  project_ids: [],
  auto_assign_owner: true,
  default_state_id: 500_000_101 + index * 10,
  states: STATES.map(([type, state], position) => ({
    ...entity("workflow-state", 500_000_101 + index * 10 + position, "ws"),
    name: state,
    type,
    description: "",
    verb: null,
    num_stories: 0,
    num_story_templates: 0,
    position,
  })),
  ...FOUNDED,
});
export const workflows = [workflow(0, "Engineering"), workflow(1, "Öperations")];

const group = (index: number, name: string, description: string, archived = false) => ({
  ...entity("group", uuid(400 + index), "g"),
  name,
  mention_name: `team-${index}`,
  description,
  archived,
  app_url: `${SITE}/team/${uuid(400 + index)}`,
  color_key: "blue",
  ...alike("color display_icon default_workflow_id", null),
  member_ids: members.map(({ id }) => id),
  workflow_ids: workflows.map(({ id }) => id),
  ...alike("num_stories num_stories_started num_stories_backlog num_epics_started", 0),
});
/** The first has most of the stories, the third none. */
const groups = [
  group(0, "Rockets 🚀", "Everything for\r\nthe *launch*"),
  group(1, "日本語のチーム", ""),
  group(2, "Empty", " "),
  group(3, "Last year", "Archived", true),
];

const DESCRIPTIONS = [
  "",
  "Steps:\r\n\r\n1. Open the page\r\n2. See **nothing**\n\n```ts\nthrow new Error();\n```",
  "  \n",
  "Grüße, 世界 — \u202eright to left\u202c and 👩‍👩‍👧",
  `Ask [@zoe](shortcutapp://members/${uuid(101)}). ${"All work and no play. ".repeat(60)}`,
];

export const label = (index: number, name: string) => ({
  ...entity("label", 600 + index, "l"),
  app_url: `${SITE}/label/${600 + index}`,
  name,
  archived: false,
  ...alike("description color external_id", null),
});
const LABELS = [label(0, "bug"), label(1, "grüße 👋")];

const teamOf = (index: number) => (index % 7 === 6 ? null : groups[index % 7 === 5 ? 1 : index % 7 === 4 ? 3 : 0]!.id);

function story(index: number) {
  const id = index + 1;
  const { id: workflow_id, states } = workflows[index % 3 === 0 ? 1 : 0]!;
  const state = states[(index + Math.floor(index / states.length)) % states.length]!;
  const isDone = state.type === "done";
  const labels = LABELS.slice(0, index % 3);
  const updated_at = index % 29 === 28 ? null : time(COUNT * HOURS_BETWEEN + ((index * 37) % COUNT));
  return {
    ...entity("story", id, "s"),
    ...alike("story_template_id epic_id iteration_id project_id external_id estimate", null),
    ...alike("started_at started_at_override moved_at", null),
    ...alike("story_links previous_iteration_ids follower_ids external_links", []),
    ...alike("mention_ids member_mention_ids group_mention_ids", []),
    name: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : id}`.trim(),
    description: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
    app_url: `${SITE}/story/${id}`,
    archived: index % 23 === 7,
    blocked: false,
    blocker: false,
    started: state.type === "started" || isDone,
    completed: isDone,
    story_type: ["feature", "bug", "chore"][index % 3]!,
    workflow_id,
    workflow_state_id: state.id as number,
    group_id: teamOf(index),
    requested_by_id: members[0]!.id,
    owner_ids: index % 5 === 4 ? [] : members.slice(index % members.length).map((owner) => owner.id),
    labels,
    label_ids: labels.map((one) => one.id),
    position: index * 1000,
    deadline: index % 4 === 0 ? time(index * HOURS_BETWEEN + 700) : null,
    parent_story_id: index % 7 === 6 ? index : null,
    custom_fields: ownFields(index),
    stats: { num_related_documents: 0 },
    completed_at: isDone ? updated_at : null,
    completed_at_override: isDone && index % 2 === 0 ? time(index * HOURS_BETWEEN + 5) : null,
    // Some were imported, from a time before Shortcut existed.
    created_at: index === 3 ? "2011-05-06T07:08:09Z" : time(index * HOURS_BETWEEN),
    updated_at,
  };
}
export type SandboxStory = ReturnType<typeof story>;

const COMMENTS = [
  "Looks **good**.\r\n\r\n- [x] checked\r\n- [ ] shipped",
  "",
  "Grüße, 世界 👩‍👩‍👧",
  "> quoted\n\nsee [the guide](https://example.com/guide)",
];

/** A comment of the token's own member. */
export function comment({ id: story_id, app_url }: SandboxStory, index: number, created_at: string) {
  const id = 700_000 + story_id * 1000 + index;
  return {
    entity_type: "story-comment",
    id,
    story_id,
    app_url: `${app_url}#activity-${id}`,
    text: "" as string | null,
    deleted: false,
    author_id: members[0]!.id as string | null,
    ...alike("mention_ids member_mention_ids group_mention_ids reactions", []),
    linked_to_slack: false,
    external_id: null,
    position: index + 1,
    created_at,
    updated_at: index % 2 ? null : created_at,
  };
}
type SandboxComment = ReturnType<typeof comment>;

/** The newest story has many comments, and others have few or none. A deleted comment has no text. */
const madeComments = (story: SandboxStory): SandboxComment[] =>
  times(story.id === COUNT ? 270 : story.id % 4, (index) => {
    const deleted = index % 9 === 5;
    return {
      ...comment(story, index, time(COUNT * HOURS_BETWEEN + index)),
      text: deleted ? null : COMMENTS[index % COMMENTS.length]!,
      deleted,
      // Nobody wrote what a comment of another service became.
      author_id: index % 8 === 7 ? null : members[index % members.length]!.id,
    };
  });

export function makeState() {
  const stories = times(COUNT, story);
  return {
    // Copies, because teams can be changed.
    groups: groups.map((one) => ({ ...one })),
    stories,
    /** By story. */
    comments: new Map(stories.map((one) => [one.id, madeComments(one)])),
  };
}
export type State = ReturnType<typeof makeState>;
