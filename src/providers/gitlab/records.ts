import { hash } from "node:crypto";
import {
  type Branch,
  type Commit,
  firstTime,
  type Issue,
  type IssueComment,
  isoTime,
  orNull,
  type PullRequest,
  path,
  type Release,
  type Repository,
  type Tag,
  toText,
} from "../../provider-kit/index.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GitLabProject {
  id: number;
  name: string;
  path_with_namespace: string;
  description?: string | null;
  web_url: string;
  created_at: string;
  /** Since GitLab 16. */
  updated_at?: string | null;
  last_activity_at?: string | null;
  visibility?: string | null;
  /** Missing if the user may not read the code, null if the repository is empty. */
  default_branch?: string | null;
}
interface GitLabIssuable {
  id: number;
  iid: number;
  title: string;
  description?: string | null;
  state: string;
  web_url: string;
  author?: { username: string } | null;
  created_at: string;
  updated_at: string;
}
export interface GitLabMergeRequest extends GitLabIssuable {
  draft?: boolean;
  /** Its name before GitLab 14. */
  work_in_progress?: boolean;
  merged_at?: string | null;
  source_branch?: string | null;
  target_branch?: string | null;
}
export interface GitLabIssue extends GitLabIssuable {
  closed_at?: string | null;
  /** Objects only if the client's own params ask for them. */
  labels?: (string | { name: string })[] | null;
  assignees?: { username: string }[] | null;
}
export interface GitLabTag {
  name: string;
  target: string;
  commit?: { id: string } | null;
}
export interface GitLabRelease {
  name?: string | null;
  /** Missing if the user may not read the code. */
  tag_name?: string | null;
  description?: string | null;
  created_at: string;
  released_at?: string | null;
  upcoming_release?: boolean | null;
  _links?: { self?: string };
}
export interface GitLabBranch {
  name: string;
  commit: { id: string };
  protected: boolean;
}
export interface GitLabCommit {
  id: string;
  message?: string | null;
  web_url: string;
  author_name?: string | null;
  author_email?: string | null;
  committed_date?: string | null;
  created_at?: string | null;
}
export interface GitLabNote {
  id: number;
  body?: string | null;
  author?: { id: number; name?: string | null; username: string } | null;
  created_at: string;
  system?: boolean;
}

/** The account that GitLab shows instead of a deleted one. */
const GHOST = "ghost";

/** A merge request is `locked` while it is being merged, and open again if that fails. */
const STATES: Record<string, string> = { opened: "open", locked: "open" };
const stateOf = ({ state }: GitLabIssuable) => STATES[state] ?? state;

export const toRepository = (project: GitLabProject): Repository => ({
  id: project.id,
  name: project.name,
  full_name: project.path_with_namespace,
  description: toText(project.description),
  url: project.web_url,
  created_at: firstTime(project.created_at),
  updated_at: firstTime(project.updated_at, project.last_activity_at, project.created_at),
  // The closest that GitLab has: a push changes it, but so does a comment.
  pushed_at: firstTime(project.last_activity_at, project.created_at),
  // An `internal` project is visible to the users of its server only.
  is_private: project.visibility ? project.visibility !== "public" : null,
  default_branch: orNull(project.default_branch),
});

const toIssuable = <User, Draft>(issuable: GitLabIssuable, user: User, draft: Draft) => ({
  id: issuable.id,
  number: issuable.iid,
  title: issuable.title,
  description: toText(issuable.description),
  ...draft,
  state: stateOf(issuable),
  url: issuable.web_url,
  user,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

export const toPullRequest = (request: GitLabMergeRequest): PullRequest => ({
  ...toIssuable(request, request.author?.username ?? GHOST, {
    draft: request.draft ?? request.work_in_progress ?? false,
  }),
  merged_at: isoTime(request.merged_at),
  source_branch: orNull(request.source_branch),
  target_branch: orNull(request.target_branch),
});

export const toIssue = (issue: GitLabIssue): Issue => ({
  ...toIssuable(issue, orNull(issue.author?.username), {}),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).map((label) => (typeof label === "string" ? label : label.name)),
  assignees: (issue.assignees ?? []).map(({ username }) => username),
});

/** A release has no numeric id. Its path contains project and tag, so 53 bits of the path's hash are a stable id. */
const releaseId = (url: string): number =>
  Number(hash("sha256", url.replace(/^https?:\/\/[^/]+/, ""), "buffer").readBigUInt64BE() >> 11n);

export function toRelease(release: GitLabRelease, projectUrl: string): Release {
  const tag = release.tag_name ?? "";
  const name = release.name || tag;
  const url = release._links?.self ?? `${projectUrl}/-/releases/${encodeURIComponent(tag || name)}`;
  return {
    id: releaseId(url),
    name,
    tag_name: tag,
    description: toText(release.description) ?? "",
    // The closest that GitLab has: the date of an upcoming release is in the future.
    prerelease: release.upcoming_release ?? false,
    url,
    created_at: firstTime(release.created_at),
    released_at: firstTime(release.released_at, release.created_at),
  };
}

// A tag may point to something other than a commit.
export const toTag = (tag: GitLabTag): Tag => ({ name: tag.name, commit_sha: tag.commit?.id ?? tag.target });

export const toBranch = (branch: GitLabBranch): Branch => ({
  name: branch.name,
  commit_sha: branch.commit.id,
  protected: branch.protected,
});

export const toCommit = (commit: GitLabCommit): Commit => ({
  sha: commit.id,
  message: toText(commit.message),
  url: commit.web_url,
  author: orNull(commit.author_name),
  author_email: orNull(commit.author_email),
  committed_at: isoTime(commit.committed_date ?? commit.created_at),
});

export const toIssueComment = ({ id, body, author, created_at }: GitLabNote, issueUrl: string): IssueComment => ({
  id: String(id),
  text: toText(body),
  author: author ? { id: String(author.id), name: author.name || author.username } : null,
  url: `${issueUrl}#note_${id}`,
  created_at: isoTime(created_at),
});

export interface InProject {
  repo: string;
}

/** A project is addressed by its path with encoded slashes: https://docs.gitlab.com/api/rest/#namespaced-paths */
export const projectPath =
  (name: string) =>
  ({ repo }: InProject) =>
    `${path`/projects/${repo}`}/${name}`;
