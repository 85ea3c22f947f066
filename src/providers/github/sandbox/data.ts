// Objects have the same fields as in the real API: https://docs.github.com/en/rest
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

const API = "https://api.github.com";
export const SITE = "https://github.com";

/** The number of the newest issue. Issues and pull requests share one sequence of numbers. */
export const NEWEST = 620;

/** GitHub's times have no milliseconds. */
export const time = (index: number) => hour(index).toISOString().replace(".000Z", "Z");
export const nodeId = (kind: string, id: number) => Buffer.from(`0${kind.length}:${kind}${id}`).toString("base64");

export function user(login: string, id: number, type: "User" | "Organization" = "User") {
  const url = `${API}/users/${login}`;
  return {
    login,
    id,
    node_id: nodeId("User", id),
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: "",
    url,
    html_url: `${SITE}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: "public",
    site_admin: false,
  };
}
export type User = ReturnType<typeof user>;

const REPOSITORY_LINKS = [
  "archive_url:/{archive_format}{/ref}",
  "assignees_url:/assignees{/user}",
  "blobs_url:/git/blobs{/sha}",
  "branches_url:/branches{/branch}",
  "collaborators_url:/collaborators{/collaborator}",
  "comments_url:/comments{/number}",
  "commits_url:/commits{/sha}",
  "compare_url:/compare/{base}...{head}",
  "contents_url:/contents/{+path}",
  "contributors_url:/contributors",
  "deployments_url:/deployments",
  "downloads_url:/downloads",
  "events_url:/events",
  "forks_url:/forks",
  "git_commits_url:/git/commits{/sha}",
  "git_refs_url:/git/refs{/sha}",
  "git_tags_url:/git/tags{/sha}",
  "hooks_url:/hooks",
  "issue_comment_url:/issues/comments{/number}",
  "issue_events_url:/issues/events{/number}",
  "issues_url:/issues{/number}",
  "keys_url:/keys{/key_id}",
  "labels_url:/labels{/name}",
  "languages_url:/languages",
  "merges_url:/merges",
  "milestones_url:/milestones{/number}",
  "notifications_url:/notifications{?since,all,participating}",
  "pulls_url:/pulls{/number}",
  "releases_url:/releases{/id}",
  "stargazers_url:/stargazers",
  "statuses_url:/statuses/{sha}",
  "subscribers_url:/subscribers",
  "subscription_url:/subscription",
  "tags_url:/tags",
  "teams_url:/teams",
  "trees_url:/git/trees{/sha}",
];

export function repository(owner: User, name: string, index: number, empty: boolean) {
  const full_name = `${owner.login}/${name}`;
  const url = `${API}/repos/${full_name}`;
  const id = 70_000_000 + index;
  const links = REPOSITORY_LINKS.map((link) => {
    const at = link.indexOf(":");
    return [link.slice(0, at), url + link.slice(at + 1)] as const;
  });
  return {
    id,
    node_id: nodeId("Repository", id),
    name,
    full_name,
    private: index % 5 === 0,
    owner,
    html_url: `${SITE}/${full_name}`,
    description:
      index % 7 === 3 ? null : index % 7 === 5 ? "" : `${awkwardTexts[index % awkwardTexts.length]} (${index})`,
    fork: false,
    url,
    ...Object.fromEntries(links),
    created_at: time(index),
    updated_at: time(index + 5_000),
    pushed_at: empty ? null : time(index + 5_000),
    git_url: `git://github.com/${full_name}.git`,
    ssh_url: `git@github.com:${full_name}.git`,
    clone_url: `${SITE}/${full_name}.git`,
    svn_url: `${SITE}/${full_name}`,
    homepage: null,
    size: empty ? 0 : 100 + index,
    stargazers_count: index,
    watchers_count: index,
    language: empty ? null : "TypeScript",
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: index % 50 === 49,
    disabled: false,
    open_issues_count: 0,
    license: null,
    forks: 0,
    open_issues: 0,
    watchers: index,
    default_branch: "main",
    permissions: { admin: true, maintain: true, push: true, triage: true, pull: true },
  };
}
export type Repository = ReturnType<typeof repository>;

const LABELS = ["bug", "good first issue", "größe: L", "日本語"];

export function label(repo: Repository, index: number) {
  const name = LABELS[index]!;
  const id = 40_000_000 + index;
  return {
    id,
    node_id: nodeId("Label", id),
    url: `${repo.url}/labels/${encodeURIComponent(name)}`,
    name,
    description: "",
    color: "d73a4a",
    default: index === 0,
  };
}

function conversation(repo: Repository, number: number, author: User | null, kind: "issues" | "pull") {
  const closed = number % 3 === 0;
  const assignees = author && number % 5 === 2 ? [author, repo.owner] : [];
  return {
    id: 90_000_000 + number,
    number,
    title: `${awkwardTexts[number % awkwardTexts.length]} #${number}`,
    body:
      number % 4 === 0 ? null : number % 11 === 0 ? "" : `What happened, in **Markdown**.\r\n\r\n- item ${number}\r\n`,
    user: author,
    state: closed ? "closed" : "open",
    locked: false,
    assignee: assignees[0] ?? null,
    assignees,
    labels: times(number % 3, (index) => label(repo, (number + index) % LABELS.length)),
    milestone: null,
    author_association: "CONTRIBUTOR",
    active_lock_reason: null,
    created_at: time(number),
    updated_at: time(number + 500),
    closed_at: closed ? time(number + 500) : null,
    html_url: `${SITE}/${repo.full_name}/${kind}/${number}`,
  };
}

/** The newest issue has more comments than fit on a page. */
export const commentCount = (number: number) => (number === NEWEST ? 120 : number % 6);

export function issue(repo: Repository, number: number, author: User | null, isPull: boolean) {
  const url = `${repo.url}/issues/${number}`;
  const pull = `${repo.url}/pulls/${number}`;
  const htmlUrl = `${SITE}/${repo.full_name}/pull/${number}`;
  return {
    ...conversation(repo, number, author, isPull ? "pull" : "issues"),
    node_id: nodeId("Issue", number),
    url,
    repository_url: repo.url,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    comments: commentCount(number),
    state_reason: null,
    ...(isPull
      ? {
          draft: false,
          pull_request: {
            url: pull,
            html_url: htmlUrl,
            diff_url: `${htmlUrl}.diff`,
            patch_url: `${htmlUrl}.patch`,
            merged_at: null,
          },
        }
      : {}),
  };
}

export function pullRequest(repo: Repository, number: number, author: User | null) {
  const base = conversation(repo, number, author, "pull");
  const url = `${repo.url}/pulls/${number}`;
  const issueUrl = `${repo.url}/issues/${number}`;
  const { hex } = seeded(number);
  const branchRef = (ref: string) => ({
    label: `${repo.owner.login}:${ref}`,
    ref,
    sha: hex(40),
    user: repo.owner,
    repo,
  });
  const link = (href: string) => ({ href });
  return {
    ...base,
    node_id: nodeId("PullRequest", number),
    url,
    diff_url: `${base.html_url}.diff`,
    patch_url: `${base.html_url}.patch`,
    issue_url: issueUrl,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${repo.url}/pulls/comments{/number}`,
    comments_url: `${issueUrl}/comments`,
    statuses_url: `${repo.url}/statuses/${hex(40)}`,
    merged_at: base.closed_at && number % 2 === 0 ? base.closed_at : null,
    merge_commit_sha: hex(40),
    requested_reviewers: [],
    requested_teams: [],
    draft: number % 10 === 1,
    head: branchRef(`feature-${number}`),
    base: branchRef("main"),
    auto_merge: null,
    _links: {
      self: link(url),
      html: link(base.html_url),
      issue: link(issueUrl),
      comments: link(`${issueUrl}/comments`),
      review_comments: link(`${url}/comments`),
      review_comment: link(`${repo.url}/pulls/comments{/number}`),
      commits: link(`${url}/commits`),
      statuses: link(`${repo.url}/statuses/${hex(40)}`),
    },
  };
}

export function tag(repo: Repository, index: number) {
  const name = `v1.${index}.0`;
  const sha = seeded(index + 1).hex(40);
  return {
    name,
    zipball_url: `${repo.url}/zipball/refs/tags/${name}`,
    tarball_url: `${repo.url}/tarball/refs/tags/${name}`,
    commit: { sha, url: `${repo.url}/commits/${sha}` },
    node_id: nodeId("Tag", index),
  };
}

export function release(repo: Repository, author: User, index: number) {
  const id = 30_000_000 + index;
  const tag_name = `v1.${index}.0`;
  const draft = index % 20 === 7;
  return {
    id,
    node_id: nodeId("Release", id),
    url: `${repo.url}/releases/${id}`,
    html_url: `${SITE}/${repo.full_name}/releases/tag/${tag_name}`,
    assets_url: `${repo.url}/releases/${id}/assets`,
    upload_url: `https://uploads.github.com/repos/${repo.full_name}/releases/${id}/assets{?name,label}`,
    tarball_url: `${repo.url}/tarball/${tag_name}`,
    zipball_url: `${repo.url}/zipball/${tag_name}`,
    tag_name,
    target_commitish: "main",
    name:
      index % 9 === 4 ? null : index % 9 === 5 ? "" : `Release ${index} ${awkwardTexts[index % awkwardTexts.length]}`,
    body: index % 6 === 2 ? null : `Notes for ${tag_name}\r\n\r\n* one\r\n`,
    draft,
    prerelease: index % 8 === 1,
    created_at: time(index),
    published_at: draft ? null : time(index + 1),
    author,
    assets: [] as object[],
  };
}

export function branch(repo: Repository, index: number) {
  const sha = seeded(index + 7).hex(40);
  return {
    name: index === 0 ? "main" : index === 1 ? "größe/日本語" : `feature/branch-${index}`,
    commit: { sha, url: `${repo.url}/commits/${sha}` },
    protected: index % 25 === 0,
    protection: { enabled: false, required_status_checks: { enforcement_level: "off", contexts: [], checks: [] } },
    protection_url: `${repo.url}/branches/${index}/protection`,
  };
}
