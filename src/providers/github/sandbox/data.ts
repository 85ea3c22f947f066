// Objects as in the real API, without optional fields that nothing reads: https://docs.github.com/en/rest
import { alike, awkwardTexts, branchName, hour, seeded, times, toSecond } from "../../../emulator-kit/index.ts";

const API = "https://api.github.com";
const SITE = "https://github.com";

/** The number of the newest issue. Issues and pull requests share one sequence of numbers. */
export const NEWEST = 620;

/** GitHub's times have no milliseconds. */
export const time = (index: number) => toSecond(hour(index));
export const nodeId = (kind: string, id: number) => Buffer.from(`0${kind.length}:${kind}${id}`).toString("base64");

/** Addresses below another one. A link has the name that its path starts with, or one of its own: `name=path`. */
const links = (url: string, paths: string): object =>
  Object.fromEntries(
    paths.split(" ").map((link) => {
      const [name, path = link] = link.split("=") as [string, string?];
      return [`${/^\w+/.exec(name)![0]}_url`, `${url}/${path}`];
    }),
  );

const USER_LINKS =
  "followers following{/other_user} gists{/gist_id} starred{/owner}{/repo} subscriptions organizations=orgs repos events{/privacy} received_events";

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
    ...links(url, USER_LINKS),
    type,
    site_admin: false,
  };
}
export type User = ReturnType<typeof user>;

const REPOSITORY_LINKS = [
  "archive={archive_format}{/ref} assignees{/user} blobs=git/blobs{/sha} branches{/branch} collaborators{/collaborator}",
  "comments{/number} commits{/sha} compare/{base}...{head} contents/{+path} contributors deployments downloads events",
  "forks git_commits=git/commits{/sha} git_refs=git/refs{/sha} git_tags=git/tags{/sha} hooks",
  "issue_comment=issues/comments{/number} issue_events=issues/events{/number} issues{/number} keys{/key_id}",
  "labels{/name} languages merges milestones{/number} notifications{?since,all,participating} pulls{/number}",
  "releases{/id} stargazers statuses/{sha} subscribers subscription tags teams trees=git/trees{/sha}",
].join(" ");

export function repository(owner: User, name: string, index: number) {
  const full_name = `${owner.login}/${name}`;
  const url = `${API}/repos/${full_name}`;
  const id = 70_000_000 + index;
  const empty = name === "empty" || (index > 0 && index % 40 === 0);
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
    url,
    ...links(url, REPOSITORY_LINKS),
    created_at: time(index),
    updated_at: time(index + 5_000),
    pushed_at: empty ? null : time(index + 5_000),
    git_url: `git://github.com/${full_name}.git`,
    ssh_url: `git@github.com:${full_name}.git`,
    clone_url: `${SITE}/${full_name}.git`,
    svn_url: `${SITE}/${full_name}`,
    size: empty ? 0 : 100 + index,
    ...alike("stargazers_count watchers_count watchers", index),
    ...alike("forks_count forks open_issues_count open_issues", 0),
    ...alike("has_issues has_projects has_downloads has_wiki", true),
    ...alike("fork has_pages has_discussions disabled", false),
    ...alike("homepage mirror_url license", null),
    language: empty ? null : "TypeScript",
    archived: index % 50 === 49,
    default_branch: "main",
    permissions: alike("admin maintain push triage pull", true),
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
    created_at: time(number),
    updated_at: time(number + 500),
    closed_at: closed ? time(number + 500) : null,
    html_url: `${repo.html_url}/${kind}/${number}`,
  };
}

/** The newest issue has more comments than fit on a page. Those written later start without any. */
export const commentCount = (number: number) => (number === NEWEST ? 120 : number > NEWEST ? 0 : number % 6);

/** The pages of a pull request. */
const pages = (html_url: string) => ({ html_url, diff_url: `${html_url}.diff`, patch_url: `${html_url}.patch` });

export function issue(repo: Repository, number: number, author: User | null, isPull: boolean) {
  const url = `${repo.url}/issues/${number}`;
  const pull = { url: `${repo.url}/pulls/${number}`, ...pages(`${repo.html_url}/pull/${number}`), merged_at: null };
  return {
    ...conversation(repo, number, author, isPull ? "pull" : "issues"),
    node_id: nodeId("Issue", number),
    url,
    repository_url: repo.url,
    ...links(url, "labels{/name} comments events"),
    comments: commentCount(number),
    ...(isPull && { draft: false, pull_request: pull }),
  };
}

export function pullRequest(repo: Repository, number: number, author: User | null) {
  const base = conversation(repo, number, author, "pull");
  const url = `${repo.url}/pulls/${number}`;
  const { hex } = seeded(number);
  const branchRef = (ref: string) => ({
    label: `${repo.owner.login}:${ref}`,
    ref,
    sha: hex(40),
    user: repo.owner,
    repo,
  });
  const addresses = Object.entries({
    issue: `${repo.url}/issues/${number}`,
    commits: `${url}/commits`,
    review_comments: `${url}/comments`,
    review_comment: `${repo.url}/pulls/comments{/number}`,
    comments: `${repo.url}/issues/${number}/comments`,
    statuses: `${repo.url}/statuses/${hex(40)}`,
  });
  const others = [...addresses, ["self", url], ["html", base.html_url]] as const;
  return {
    ...base,
    node_id: nodeId("PullRequest", number),
    url,
    ...pages(base.html_url),
    ...Object.fromEntries(addresses.map(([name, href]) => [`${name}_url`, href])),
    merged_at: base.closed_at && number % 2 === 0 ? base.closed_at : null,
    merge_commit_sha: hex(40),
    draft: number % 10 === 1,
    head: branchRef(`feature-${number}`),
    base: branchRef("main"),
    auto_merge: null,
    _links: Object.fromEntries(others.map(([name, href]) => [name, { href }])),
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
    html_url: `${repo.html_url}/releases/tag/${tag_name}`,
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
    name: branchName(index),
    commit: { sha, url: `${repo.url}/commits/${sha}` },
    protected: index % 25 === 0,
  };
}
