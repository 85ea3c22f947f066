// Objects as in the real API, without optional fields that nothing reads: https://docs.gitlab.com/api/rest/
import { awkwardTexts, branchName, hour, seeded, times } from "../../../emulator-kit/index.ts";

const SITE = "https://gitlab.com";

export const time = (index: number) => hour(index).toISOString();
/** Commit times have the offset of the committer's time zone. */
export const commitTime = (index: number) => time(index - 2).replace("Z", "+00:00");

export const user = (id: number, username: string, name: string, avatar_url: string | null = null) => ({
  id,
  username,
  name,
  state: "active" as const,
  avatar_url,
  web_url: `${SITE}/${username}`,
});
export type User = ReturnType<typeof user>;

export function project(id: number, group: string, name: string, index: number) {
  const path = name.toLowerCase().replaceAll(" ", "-");
  const path_with_namespace = `${group}/${path}`;
  return {
    id,
    description: index % 7 === 3 ? null : index % 7 === 4 ? "" : `${awkwardTexts[index % awkwardTexts.length]} (${id})`,
    name,
    name_with_namespace: `${group.replaceAll("/", " / ")} / ${name}`,
    path,
    path_with_namespace,
    created_at: time(id),
    default_branch: name === "Empty" ? null : "main",
    web_url: `${SITE}/${path_with_namespace}`,
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
    archived: index % 50 === 49,
    visibility: (["public", "private", "internal", "private"] as const)[index % 4]!,
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
  assignees: iid % 5 === 2 ? [author] : [],
  author,
  user_notes_count: kind === "issues" ? noteCount(iid) : 0,
  web_url: `${project.web_url}/-/${kind}/${iid}`,
});

export function issue(project: Project, iid: number, author: User) {
  const closed = iid % 3 === 0;
  return {
    ...issuable(project, iid, "issues", author),
    state: closed ? "closed" : "opened",
    closed_at: closed ? time(iid + 500) : null,
    closed_by: closed ? author : null,
    confidential: iid % 17 === 0,
  };
}

const MERGE_STATES = ["opened", "merged", "closed", "merged", "opened", "locked", "merged"] as const;

export function mergeRequest(project: Project, iid: number, author: User) {
  const state = MERGE_STATES[iid % MERGE_STATES.length]!;
  const draft = state === "opened" && iid % 5 === 0;
  return {
    ...issuable(project, iid, "merge_requests", author),
    state,
    merged_at: state === "merged" ? time(iid + 400) : null,
    closed_at: state === "closed" ? time(iid + 400) : null,
    target_branch: "main",
    source_branch: `feature-${iid}`,
    draft,
    work_in_progress: draft,
    sha: seeded(iid).hex(40),
  };
}

export function commit(project: Project, index: number) {
  const id = seeded(index + 1).hex(40);
  return {
    id,
    short_id: id.slice(0, 8),
    created_at: commitTime(index),
    title: awkwardTexts[index % awkwardTexts.length]!,
    message: `${awkwardTexts[index % awkwardTexts.length]}\n`,
    author_name: "Grüße",
    author_email: "author@example.com",
    authored_date: commitTime(index),
    committed_date: commitTime(index),
    web_url: `${project.web_url}/-/commit/${id}`,
  };
}

const tagName = (index: number) => (index === 3 ? "größe/日本語" : `v1.${index}.0`);

export const tag = (project: Project, index: number) => ({
  name: tagName(index),
  message: index % 2 ? `Release ${index}` : "",
  target: seeded(index + 900).hex(40),
  // One tag points to a file instead of a commit.
  commit: index === 250 ? null : commit(project, index),
  protected: index % 10 === 0,
});

export function release(project: Project, author: User, index: number) {
  const tag_name = tagName(index);
  const self = `${project.web_url}/-/releases/${encodeURIComponent(tag_name)}`;
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
    _links: {
      closed_issues_url: filtered("issues", "closed"),
      closed_merge_requests_url: filtered("merge_requests", "closed"),
      edit_url: `${self}/edit`,
      merged_merge_requests_url: filtered("merge_requests", "merged"),
      opened_issues_url: filtered("issues", "opened"),
      opened_merge_requests_url: filtered("merge_requests", "opened"),
      self,
    },
  };
}

export function branch(project: Project, index: number) {
  const name = branchName(index);
  return {
    name,
    commit: commit(project, index + 7),
    protected: index % 25 === 0,
    default: index === 0,
    web_url: `${project.web_url}/-/tree/${encodeURIComponent(name)}`,
  };
}
