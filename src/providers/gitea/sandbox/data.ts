// Objects as in the real API, without optional fields that nothing reads: https://gitea.com/api/swagger
import { awkwardTexts, branchName, hour, seeded, times, toSecond } from "../../../emulator-kit/index.ts";

const SITE = "https://gitea.com";
const API = `${SITE}/api/v1`;

/** Gitea's times have no milliseconds, and the offset of the server's time zone. */
export const time = (index: number) => toSecond(hour(index + 2)).replace("Z", "+02:00");

export const user = (id: number, login: string, full_name = "") => ({
  id,
  login,
  full_name,
  email: `${login.toLowerCase()}@noreply.gitea.com`,
  avatar_url: `${SITE}/avatars/${seeded(id + 2).hex(32)}`,
  html_url: `${SITE}/${login}`,
  created: time(0),
});
export type User = ReturnType<typeof user>;

export function repository(owner: User, name: string, index: number) {
  const full_name = `${owner.login}/${name}`;
  return {
    id: 7_000 + index,
    owner,
    name,
    full_name,
    description: index % 7 === 3 ? "" : `${awkwardTexts[index % awkwardTexts.length]} (${index})`,
    empty: name === "empty",
    private: index % 5 === 0,
    html_url: `${SITE}/${full_name}`,
    url: `${API}/repos/${full_name}`,
    default_branch: "main",
    archived: index % 50 === 49,
    created_at: time(index),
    updated_at: time(index + 5_000),
  };
}
export type Repository = ReturnType<typeof repository>;

const label = (id: number, name: string, url: string) => ({
  id,
  name,
  color: "00aabb",
  description: "",
  url: `${url}/labels/${id}`,
});

const LABELS = ["bug", "good first issue", "größe: L", "日本語", ...times(56, (index) => `area ${index}`)];

export const labels = ({ url }: Repository) => LABELS.map((name, index) => label(500 + index, name, url));

/** Of an organization. Users have none. */
export const labelsOf = (org: string) =>
  org === "acme" ? [label(900, "company-wide", `${API}/orgs/acme`)] : undefined;

/** The number of the newest issue. Issues and pull requests share one sequence of numbers. */
export const NEWEST = 640;
/** The newest issue has more comments than fit on a page of most lists. Those written later start without any. */
export const commentCount = (number: number) => (number === NEWEST ? 70 : number > NEWEST ? 0 : number % 6);

function conversation(repo: Repository, number: number, author: User, kind: "issues" | "pulls") {
  const closed = number % 3 === 0;
  return {
    number,
    user: author,
    title: `${awkwardTexts[number % awkwardTexts.length]} #${number}`,
    body: number % 4 === 0 ? "" : `What happened, in **Markdown**.\r\n\r\n- item ${number}\r\n`,
    labels: times(number % 3, (index) => labels(repo)[(number + index) % 4]!),
    comments: commentCount(number),
    state: closed ? "closed" : "open",
    created_at: time(number),
    updated_at: time(number + 500),
    closed_at: closed ? time(number + 500) : null,
    html_url: `${repo.html_url}/${kind}/${number}`,
  };
}

export function issue(repo: Repository, number: number, author: User, isPull: boolean) {
  const html_url = `${repo.html_url}/pulls/${number}`;
  return {
    ...conversation(repo, number, author, isPull ? "pulls" : "issues"),
    id: 60_000 + number,
    url: `${repo.url}/issues/${number}`,
    // Null in place of an empty list.
    assignees: number % 5 === 2 ? [author, repo.owner] : null,
    pull_request: isPull ? { merged: false, merged_at: null, draft: false, html_url } : null,
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
    draft: number % 10 === 1,
    merged,
    merged_at: merged ? base.closed_at : null,
    base: branchRef("main"),
    // The branch of a merged pull request was deleted.
    head: branchRef(`feature-${number}`, merged ? `refs/pull/${number}/head` : undefined),
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
    draft: index % 20 === 7,
    prerelease: index % 8 === 1,
    created_at: time(index),
    published_at: time(index),
    author,
  };
}

export function branch(repo: Repository, index: number) {
  const id = seeded(index + 7).hex(40);
  return {
    name: branchName(index),
    commit: { id, message: `${awkwardTexts[index % awkwardTexts.length]}\n`, url: `${repo.html_url}/commit/${id}` },
    protected: index % 25 === 0,
  };
}
