// Objects have the same fields as in the real API: https://docs.gitlab.com/api/rest/
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

const SITE = "https://gitlab.com";
const API = `${SITE}/api/v4`;

export const time = (index: number) => hour(index).toISOString();
/** Commit times have the offset of the committer's time zone. */
export const commitTime = (index: number) =>
  hour(index - 2)
    .toISOString()
    .replace("Z", "+00:00");

export const user = (id: number, username: string, name: string, avatar_url: string | null = null) => ({
  id,
  username,
  public_email: null,
  name,
  state: "active" as const,
  locked: false,
  avatar_url,
  web_url: `${SITE}/${username}`,
});
export type User = ReturnType<typeof user>;

const slugOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

export function project(id: number, group: string, name: string, index: number, empty: boolean) {
  const path_with_namespace = `${group}/${slugOf(name)}`;
  const web_url = `${SITE}/${path_with_namespace}`;
  const self = `${API}/projects/${id}`;
  return {
    id,
    description: index % 7 === 3 ? null : index % 7 === 4 ? "" : `${awkwardTexts[index % awkwardTexts.length]} (${id})`,
    name,
    name_with_namespace: `${group.replaceAll("/", " / ")} / ${name}`,
    path: slugOf(name),
    path_with_namespace,
    created_at: time(id),
    default_branch: empty ? null : "main",
    tag_list: [],
    topics: [],
    ssh_url_to_repo: `git@gitlab.com:${path_with_namespace}.git`,
    http_url_to_repo: `${web_url}.git`,
    web_url,
    readme_url: empty ? null : `${web_url}/-/blob/main/README.md`,
    forks_count: 0,
    avatar_url: null,
    star_count: index,
    last_activity_at: time(id + 4_000),
    namespace: {
      id: 500 + (index % 5),
      name: group.split("/").at(-1)!,
      path: group.split("/").at(-1)!,
      kind: "group",
      full_path: group,
      parent_id: group.includes("/") ? 500 : null,
      avatar_url: null,
      web_url: `${SITE}/groups/${group}`,
    },
    // Only newer servers return it, and only to some users.
    ...(index % 3 === 0 ? { updated_at: time(id + 3_000) } : {}),
    container_registry_image_prefix: `registry.gitlab.com/${path_with_namespace}`,
    _links: {
      self,
      issues: `${self}/issues`,
      merge_requests: `${self}/merge_requests`,
      repo_branches: `${self}/repository/branches`,
      labels: `${self}/labels`,
      events: `${self}/events`,
      members: `${self}/members`,
      cluster_agents: `${self}/cluster_agents`,
    },
    packages_enabled: true,
    empty_repo: empty,
    archived: index % 50 === 49,
    visibility: (["public", "private", "internal", "private"] as const)[index % 4]!,
    issues_enabled: true,
    merge_requests_enabled: true,
    wiki_enabled: true,
    jobs_enabled: true,
    snippets_enabled: true,
    creator_id: 1,
    import_status: "none",
    open_issues_count: 0,
    shared_with_groups: [],
    merge_method: "merge",
    permissions: { project_access: { access_level: 40, notification_level: 3 }, group_access: null },
  };
}
export type Project = ReturnType<typeof project>;

const LABELS = ["bug", "priority::high", "größe: L", "日本語"];

/** The newest issue has more notes than fit on a page. Those written later start without any. */
export const noteCount = (iid: number) => (iid === NEWEST_ISSUE ? 130 : iid > NEWEST_ISSUE ? 0 : iid % 6);
export const NEWEST_ISSUE = 310;

const issuable = (project: Project, iid: number, kind: "issues" | "merge_requests", author: User) => ({
  id: (kind === "issues" ? 1_000_000 : 2_000_000) + iid,
  iid,
  project_id: project.id,
  title: `${awkwardTexts[iid % awkwardTexts.length]} #${iid}`,
  description: iid % 4 === 0 ? null : iid % 11 === 0 ? "" : `What happened, in **Markdown**.\r\n\r\n- item ${iid}\r\n`,
  created_at: time(iid),
  updated_at: time(iid + 500),
  labels: times(iid % 3, (index) => LABELS[(iid + index) % LABELS.length]!),
  milestone: null,
  assignees: iid % 5 === 2 ? [author] : [],
  assignee: iid % 5 === 2 ? author : null,
  author,
  user_notes_count: kind === "issues" ? noteCount(iid) : 0,
  upvotes: 0,
  downvotes: 0,
  discussion_locked: null,
  web_url: `${project.web_url}/-/${kind}/${iid}`,
  time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
  task_completion_status: { count: 0, completed_count: 0 },
  references: {
    short: `${kind === "issues" ? "#" : "!"}${iid}`,
    relative: `${kind === "issues" ? "#" : "!"}${iid}`,
    full: `${project.path_with_namespace}${kind === "issues" ? "#" : "!"}${iid}`,
  },
});

export function issue(project: Project, iid: number, author: User) {
  const closed = iid % 3 === 0;
  const self = `${API}/projects/${project.id}/issues/${iid}`;
  return {
    ...issuable(project, iid, "issues", author),
    state: closed ? "closed" : "opened",
    closed_at: closed ? time(iid + 500) : null,
    closed_by: closed ? author : null,
    type: "ISSUE",
    issue_type: "issue",
    confidential: iid % 17 === 0,
    due_date: null,
    has_tasks: false,
    merge_requests_count: 0,
    severity: "UNKNOWN",
    moved_to_id: null,
    service_desk_reply_to: null,
    _links: {
      self,
      notes: `${self}/notes`,
      award_emoji: `${self}/award_emoji`,
      project: `${API}/projects/${project.id}`,
      closed_as_duplicate_of: null,
    },
  };
}

const MERGE_STATES = ["opened", "merged", "closed", "merged", "opened", "locked", "merged"] as const;

export function mergeRequest(project: Project, iid: number, author: User) {
  const { hex } = seeded(iid);
  const state = MERGE_STATES[iid % MERGE_STATES.length]!;
  const merged = state === "merged";
  const draft = state === "opened" && iid % 5 === 0;
  return {
    ...issuable(project, iid, "merge_requests", author),
    state,
    merged_by: merged ? author : null,
    merge_user: merged ? author : null,
    merged_at: merged ? time(iid + 400) : null,
    closed_by: state === "closed" ? author : null,
    closed_at: state === "closed" ? time(iid + 400) : null,
    target_branch: "main",
    source_branch: `feature-${iid}`,
    reviewers: [],
    source_project_id: project.id,
    target_project_id: project.id,
    draft,
    work_in_progress: draft,
    imported: false,
    imported_from: "none",
    merge_when_pipeline_succeeds: false,
    merge_status: "can_be_merged" as const,
    detailed_merge_status: state === "opened" ? ("mergeable" as const) : ("not_open" as const),
    merge_after: null,
    sha: hex(40),
    merge_commit_sha: merged ? hex(40) : null,
    squash_commit_sha: null,
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    prepared_at: time(iid),
    reference: `!${iid}`,
    squash: false,
    squash_on_merge: false,
    has_conflicts: false,
    blocking_discussions_resolved: true,
    approvals_before_merge: null,
  };
}

export function commit(project: Project, index: number) {
  const id = seeded(index + 1).hex(40);
  return {
    id,
    short_id: id.slice(0, 8),
    created_at: commitTime(index),
    parent_ids: [],
    title: awkwardTexts[index % awkwardTexts.length]!,
    message: `${awkwardTexts[index % awkwardTexts.length]}\n`,
    author_name: "Grüße",
    author_email: "author@example.com",
    authored_date: commitTime(index),
    committer_name: "Grüße",
    committer_email: "author@example.com",
    committed_date: commitTime(index),
    trailers: {},
    extended_trailers: {},
    web_url: `${project.web_url}/-/commit/${id}`,
  };
}

export const tagName = (index: number) => (index === 3 ? "größe/日本語" : `v1.${index}.0`);

export function tag(project: Project, index: number) {
  // One tag points to a file instead of a commit.
  const pointsTo = index === 250 ? null : commit(project, index);
  return {
    name: tagName(index),
    message: index % 2 ? `Release ${index}` : "",
    target: seeded(index + 900).hex(40),
    commit: pointsTo,
    release: null,
    protected: index % 10 === 0,
    created_at: index % 2 ? commitTime(index) : null,
  };
}

export function release(project: Project, author: User, index: number) {
  const tag_name = tagName(index);
  const webUrl = `${project.web_url}/-/releases/${encodeURIComponent(tag_name)}`;
  const filtered = (list: string, state: string) =>
    `${project.web_url}/-/${list}?release_tag=${encodeURIComponent(tag_name)}&scope=all&state=${state}`;
  return {
    name: index % 9 === 4 ? null : `Release ${index} ${awkwardTexts[index % awkwardTexts.length]}`,
    tag_name,
    description: index % 6 === 2 ? null : `Notes for ${tag_name}\r\n\r\n* one\r\n`,
    created_at: time(index),
    released_at: time(index + 1),
    upcoming_release: index > 277,
    author,
    commit: commit(project, index),
    milestones: [],
    commit_path: `/${project.path_with_namespace}/-/commit/${commit(project, index).id}`,
    tag_path: `/${project.path_with_namespace}/-/tags/${encodeURIComponent(tag_name)}`,
    assets: { count: 0, sources: [], links: [] },
    evidences: [],
    _links: {
      closed_issues_url: filtered("issues", "closed"),
      closed_merge_requests_url: filtered("merge_requests", "closed"),
      edit_url: `${webUrl}/edit`,
      merged_merge_requests_url: filtered("merge_requests", "merged"),
      opened_issues_url: filtered("issues", "opened"),
      opened_merge_requests_url: filtered("merge_requests", "opened"),
      self: webUrl,
    },
  };
}

export function branch(project: Project, index: number) {
  const name = index === 0 ? "main" : index === 1 ? "größe/日本語" : `feature/branch-${index}`;
  return {
    name,
    commit: commit(project, index + 7),
    merged: false,
    protected: index % 25 === 0,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: true,
    default: index === 0,
    web_url: `${project.web_url}/-/tree/${encodeURIComponent(name)}`,
  };
}
