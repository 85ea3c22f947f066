// Objects have the same fields as in the real API: https://gitea.com/api/swagger
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

const SITE = "https://gitea.com";
const API = `${SITE}/api/v1`;

/** Gitea's times have no milliseconds, and the offset of the server's time zone. */
export const time = (index: number) =>
  hour(index + 2)
    .toISOString()
    .replace(".000Z", "+02:00");

export const user = (id: number, login: string, full_name = "") => ({
  id,
  login,
  login_name: "",
  source_id: 0,
  full_name,
  email: `${login.toLowerCase()}@noreply.gitea.com`,
  avatar_url: `${SITE}/avatars/${seeded(id + 2).hex(32)}`,
  html_url: `${SITE}/${login}`,
  language: "",
  is_admin: false,
  last_login: "0001-01-01T00:00:00Z",
  created: time(0),
  restricted: false,
  active: false,
  prohibit_login: false,
  location: "",
  website: "",
  description: "",
  visibility: "public",
  followers_count: 0,
  following_count: 0,
  starred_repos_count: 0,
});
export type User = ReturnType<typeof user>;

export function repository(owner: User, name: string, index: number, empty: boolean) {
  const full_name = `${owner.login}/${name}`;
  return {
    id: 7_000 + index,
    owner,
    name,
    full_name,
    description: index % 7 === 3 ? "" : `${awkwardTexts[index % awkwardTexts.length]} (${index})`,
    empty,
    private: index % 5 === 0,
    fork: false,
    template: false,
    mirror: false,
    size: empty ? 0 : 100 + index,
    language: "",
    languages_url: `${API}/repos/${full_name}/languages`,
    html_url: `${SITE}/${full_name}`,
    url: `${API}/repos/${full_name}`,
    link: "",
    ssh_url: `git@gitea.com:${full_name}.git`,
    clone_url: `${SITE}/${full_name}.git`,
    original_url: "",
    website: "",
    stars_count: index,
    forks_count: 0,
    watchers_count: 1,
    branch_count: empty ? 0 : 1,
    open_issues_count: 0,
    open_pr_counter: 0,
    release_counter: 0,
    default_branch: "main",
    archived: index % 50 === 49,
    created_at: time(index),
    updated_at: time(index + 5_000),
    archived_at: "1970-01-01T00:00:00Z",
    permissions: { admin: true, push: true, pull: true },
    has_code: true,
    has_issues: true,
    has_wiki: true,
    has_pull_requests: true,
    has_projects: true,
    has_releases: true,
    has_packages: true,
    has_actions: true,
    avatar_url: "",
    internal: false,
    mirror_interval: "",
    object_format_name: "sha1",
    mirror_updated: "0001-01-01T00:00:00Z",
    topics: [],
    licenses: [],
  };
}
export type Repository = ReturnType<typeof repository>;

export const LABELS = ["bug", "good first issue", "größe: L", "日本語"];

export const label = (repo: Repository, index: number) => ({
  id: 500 + index,
  name: LABELS[index]!,
  exclusive: false,
  is_archived: false,
  color: "00aabb",
  description: "",
  url: `${repo.url}/labels/${500 + index}`,
});

/** The number of the newest issue. Issues and pull requests share one sequence of numbers. */
export const NEWEST = 640;
/** The newest issue has more comments than fit on a page of most lists. */
export const commentCount = (number: number) => (number === NEWEST ? 70 : number % 6);

function conversation(repo: Repository, number: number, author: User, kind: "issues" | "pulls") {
  const closed = number % 3 === 0;
  return {
    number,
    user: author,
    title: `${awkwardTexts[number % awkwardTexts.length]} #${number}`,
    body: number % 4 === 0 ? "" : `What happened, in **Markdown**.\r\n\r\n- item ${number}\r\n`,
    labels: times(number % 3, (index) => label(repo, (number + index) % LABELS.length)),
    milestone: null,
    assignee: null,
    is_locked: false,
    comments: commentCount(number),
    state: closed ? "closed" : "open",
    created_at: time(number),
    updated_at: time(number + 500),
    closed_at: closed ? time(number + 500) : null,
    due_date: null,
    html_url: `${repo.html_url}/${kind}/${number}`,
    pin_order: 0,
    content_version: 0,
  };
}

export function issue(repo: Repository, number: number, author: User, isPull: boolean) {
  const html_url = `${repo.html_url}/pulls/${number}`;
  return {
    ...conversation(repo, number, author, isPull ? "pulls" : "issues"),
    id: 60_000 + number,
    url: `${repo.url}/issues/${number}`,
    original_author: "",
    original_author_id: 0,
    ref: "",
    assets: [],
    // Null in place of an empty list.
    assignees: number % 5 === 2 ? [author, repo.owner] : null,
    time_estimate: 0,
    pull_request: isPull ? { merged: false, merged_at: null, draft: false, html_url } : null,
    repository: { id: repo.id, name: repo.name, owner: repo.owner.login, full_name: repo.full_name },
  };
}

export function pullRequest(repo: Repository, number: number, author: User) {
  const { hex } = seeded(number);
  const base = conversation(repo, number, author, "pulls");
  const merged = base.state === "closed" && number % 2 === 0;
  const branchRef = (label: string, ref = label) => ({ label, ref, sha: hex(40), repo_id: repo.id, repo });
  return {
    ...base,
    id: 80_000 + number,
    url: base.html_url,
    assignees: [],
    requested_reviewers: [],
    requested_reviewers_teams: [],
    draft: number % 10 === 1,
    review_comments: 0,
    diff_url: `${base.html_url}.diff`,
    patch_url: `${base.html_url}.patch`,
    mergeable: base.state === "open",
    merged,
    merged_at: merged ? base.closed_at : null,
    merge_commit_sha: merged ? hex(40) : null,
    merged_by: merged ? author : null,
    allow_maintainer_edit: false,
    base: branchRef("main"),
    // The branch of a merged pull request was deleted.
    head: branchRef(`feature-${number}`, merged ? `refs/pull/${number}/head` : undefined),
    merge_base: hex(40),
  };
}

const tagName = (index: number) => (index === 3 ? "größe/日本語" : `v1.${index}.0`);

export function tag(repo: Repository, index: number) {
  const name = tagName(index);
  const sha = seeded(index + 1).hex(40);
  return {
    name,
    message: index % 2 ? `Release ${index}\n` : "",
    id: seeded(index + 900).hex(40),
    commit: { url: `${repo.url}/git/commits/${sha}`, sha, created: time(index) },
    zipball_url: `${repo.html_url}/archive/${encodeURIComponent(name)}.zip`,
    tarball_url: `${repo.html_url}/archive/${encodeURIComponent(name)}.tar.gz`,
  };
}

export function release(repo: Repository, author: User, index: number) {
  const id = 30_000 + index;
  const tag_name = tagName(index);
  return {
    id,
    tag_name,
    target_commitish: "main",
    name: index % 9 === 4 ? "" : `Release ${index} ${awkwardTexts[index % awkwardTexts.length]}`,
    body: index % 6 === 2 ? "" : `Notes for ${tag_name}\r\n\r\n* one\r\n`,
    url: `${repo.url}/releases/${id}`,
    html_url: `${repo.html_url}/releases/tag/${encodeURIComponent(tag_name)}`,
    tarball_url: `${repo.html_url}/archive/${encodeURIComponent(tag_name)}.tar.gz`,
    zipball_url: `${repo.html_url}/archive/${encodeURIComponent(tag_name)}.zip`,
    upload_url: `${repo.url}/releases/${id}/assets`,
    draft: index % 20 === 7,
    prerelease: index % 8 === 1,
    created_at: time(index),
    published_at: time(index),
    author,
    assets: [],
  };
}

export function branch(repo: Repository, index: number) {
  const id = seeded(index + 7).hex(40);
  const person = { name: "Grüße", email: "author@example.com", username: "" };
  return {
    name: index === 0 ? "main" : index === 1 ? "größe/日本語" : `feature/branch-${index}`,
    commit: {
      id,
      message: `${awkwardTexts[index % awkwardTexts.length]}\n`,
      url: `${repo.html_url}/commit/${id}`,
      author: person,
      committer: person,
      verification: null,
      timestamp: time(index),
      added: null,
      removed: null,
      modified: null,
    },
    protected: index % 25 === 0,
    required_approvals: 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: true,
    user_can_merge: true,
    effective_branch_protection_name: "",
  };
}
