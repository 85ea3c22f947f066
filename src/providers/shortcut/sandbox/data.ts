// Values as the real API sends them: https://developer.shortcut.com/api/rest/v3
import { awkwardTexts, hour, times, uuid } from "../../../emulator-kit/data.ts";

const SITE = "https://app.shortcut.com/sandbox";
const COUNT = 330;
/** The stories are spread over two years, and every 24th is made at midnight. */
const HOURS_BETWEEN = 53;

/** Times have no fraction of a second. */
const time = (hours: number) => hour(hours).toISOString().replace(".000Z", "Z");
const FOUNDED = time(0);

const member = (index: number, mention_name: string, name: string | null, disabled = false) => ({
  entity_type: "member",
  id: uuid(100 + index),
  global_id: `v2:m:${uuid(1)}:${uuid(100 + index)}`,
  role: index === 0 ? "owner" : "member",
  state: disabled ? "disabled" : "full",
  disabled,
  created_without_invite: index === 0,
  group_ids: [],
  profile: {
    entity_type: "profile",
    id: uuid(200 + index),
    deactivated: disabled,
    two_factor_auth_activated: false,
    mention_name,
    name,
    is_owner: index === 0,
    is_agent: false,
    gravatar_hash: null,
    email_address: disabled ? null : `${mention_name}@example.com`,
    display_icon:
      index === 0
        ? {
            entity_type: "icon",
            id: uuid(300),
            url: "https://cdn.app.shortcut.com/api/attachments/files/clubhouse-assets/sandbox.png",
            created_at: FOUNDED,
            updated_at: FOUNDED,
          }
        : null,
  },
  created_at: FOUNDED,
  updated_at: FOUNDED,
});

/** The first is the token's own. One has no name, and one has left. */
const members = [
  member(0, "sandra", "Sandra Box"),
  member(1, "zoe", "Zoë Müller"),
  member(2, "noname", null),
  member(3, "gone", "Jürgen Groß", true),
];

const workspace = {
  id: uuid(1),
  name: "Sandbox",
  url_slug: "sandbox",
  created_at: FOUNDED,
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
    entity_type: "workflow-state",
    id: 500_000_101 + index * 10 + position,
    global_id: `v2:ws:${uuid(1)}:${500_000_101 + index * 10 + position}`,
    name: state,
    type,
    description: "",
    verb: null,
    color: "#ff0000",
    num_stories: 0,
    num_story_templates: 0,
    position,
    created_at: FOUNDED,
    updated_at: FOUNDED,
  })),
  created_at: FOUNDED,
  updated_at: FOUNDED,
});
const workflows = [workflow(0, "Engineering"), workflow(1, "Öperations")];

const group = (index: number, name: string, description: string, archived = false) => ({
  entity_type: "group",
  id: uuid(400 + index),
  global_id: `v2:g:${uuid(1)}:${uuid(400 + index)}`,
  name,
  mention_name: `team-${index}`,
  description,
  archived,
  app_url: `${SITE}/team/${uuid(400 + index)}`,
  color: null,
  color_key: "blue",
  display_icon: null,
  default_workflow_id: null,
  member_ids: members.map(({ id }) => id),
  workflow_ids: workflows.map(({ id }) => id),
  num_stories: 0,
  num_stories_started: 0,
  num_stories_backlog: 0,
  num_epics_started: 0,
  created_at: FOUNDED,
  updated_at: FOUNDED,
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
  entity_type: "label",
  id: 600 + index,
  global_id: `v2:l:${uuid(1)}:${600 + index}`,
  app_url: `${SITE}/label/${600 + index}`,
  name,
  description: null,
  archived: false,
  color: null,
  external_id: null,
  created_at: FOUNDED,
  updated_at: FOUNDED,
});
const LABELS = [label(0, "bug"), label(1, "grüße 👋")];

/** Some were imported, from a time before Shortcut existed. */
const createdAt = (index: number) => (index === 3 ? "2011-05-06T07:08:09Z" : time(index * HOURS_BETWEEN));

const teamOf = (index: number) => (index % 7 === 6 ? null : groups[index % 7 === 5 ? 1 : index % 7 === 4 ? 3 : 0]!.id);

function story(index: number) {
  const id = index + 1;
  const { id: workflow_id, states } = workflows[index % 3 === 0 ? 1 : 0]!;
  const state = states[(index + Math.floor(index / states.length)) % states.length]!;
  const isDone = state.type === "done";
  const labels = LABELS.slice(0, index % 3);
  const updated_at = index % 29 === 28 ? null : time(COUNT * HOURS_BETWEEN + ((index * 37) % COUNT));
  return {
    entity_type: "story",
    id,
    global_id: `v2:s:${uuid(1)}:${id}`,
    name: `${awkwardTexts[index % awkwardTexts.length]} ${index % 10 === 0 ? "" : id}`.trim(),
    description: DESCRIPTIONS[index % DESCRIPTIONS.length]!,
    app_url: `${SITE}/story/${id}`,
    archived: index % 23 === 7,
    blocked: false,
    blocker: false,
    started: state.type === "started" || isDone,
    completed: isDone,
    story_type: ["feature", "bug", "chore"][index % 3]!,
    story_links: [],
    story_template_id: null,
    workflow_id,
    workflow_state_id: state.id,
    epic_id: null,
    iteration_id: null,
    previous_iteration_ids: [],
    group_id: teamOf(index),
    project_id: null,
    requested_by_id: members[0]!.id,
    owner_ids: index % 5 === 4 ? [] : members.slice(index % members.length).map((owner) => owner.id),
    follower_ids: [],
    mention_ids: [],
    member_mention_ids: [],
    group_mention_ids: [],
    labels,
    label_ids: labels.map((one) => one.id),
    external_id: null,
    external_links: [],
    estimate: null,
    position: index * 1000,
    deadline: index % 4 === 0 ? time(index * HOURS_BETWEEN + 700) : null,
    parent_story_id: index % 7 === 6 ? index : null,
    stats: { num_related_documents: 0 },
    started_at: null,
    started_at_override: null,
    completed_at: isDone ? updated_at : null,
    completed_at_override: isDone && index % 2 === 0 ? time(index * HOURS_BETWEEN + 5) : null,
    moved_at: null,
    created_at: createdAt(index),
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
export function comment(
  { id: story_id, app_url }: Pick<SandboxStory, "id" | "app_url">,
  index: number,
  created_at: string,
) {
  const id = 700_000 + story_id * 1000 + index;
  return {
    entity_type: "story-comment",
    id,
    story_id,
    app_url: `${app_url}#activity-${id}`,
    text: "" as string | null,
    deleted: false,
    author_id: members[0]!.id as string | null,
    mention_ids: [],
    member_mention_ids: [],
    group_mention_ids: [],
    linked_to_slack: false,
    external_id: null,
    parent_id: null,
    position: index + 1,
    reactions: [],
    created_at,
    updated_at: index % 2 ? null : created_at,
  };
}
export type SandboxComment = ReturnType<typeof comment>;

/** The newest story has many comments, and others have few or none. A deleted comment has no text. */
const madeComments = (story: SandboxStory) =>
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
    members,
    workspace,
    workflows,
    // Copies, because teams can be changed.
    groups: groups.map((one) => ({ ...one })),
    stories,
    /** By story. */
    comments: new Map<number, SandboxComment[]>(stories.map((one) => [one.id, madeComments(one)])),
  };
}
export type State = ReturnType<typeof makeState>;

export const commentsOf = ({ id }: SandboxStory, { comments }: Pick<State, "comments">): SandboxComment[] =>
  comments.get(id) ?? [];
