// Objects have the same fields as in the real API: https://developer.atlassian.com/cloud/bitbucket/rest/
import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/data.ts";

const SITE = "https://bitbucket.org";
const API = "https://api.bitbucket.org/2.0";

/** Bitbucket's times have microseconds and an offset. */
export const time = (index: number) => hour(index).toISOString().replace(".000Z", ".123456+00:00");

const link = (href: string) => ({ href });

function uuid(seed: number): string {
  const { hex } = seeded(seed);
  return `{${[8, 4, 4, 4, 12].map(hex).join("-")}}`;
}

export function account(id: number, nickname: string, display_name: string) {
  const accountUuid = uuid(id);
  return {
    type: "user",
    uuid: accountUuid,
    account_id: `557058:${accountUuid.slice(1, -1)}`,
    nickname,
    display_name,
    links: {
      self: link(`${API}/users/${encodeURIComponent(accountUuid)}`),
      avatar: link(`${SITE}/account/${nickname}/avatar/`),
      html: link(`${SITE}/${encodeURIComponent(accountUuid)}/`),
    },
  };
}
export type Account = ReturnType<typeof account>;

export const workspace = (id: number, slug: string) => ({
  type: "workspace_access",
  administrator: id === 100,
  workspace: {
    type: "workspace_base",
    uuid: uuid(id),
    slug,
    links: { self: link(`${API}/workspaces/${slug}`), avatar: link(`${SITE}/workspaces/${slug}/avatar/`) },
  },
});

const slugOf = (name: string) => name.toLowerCase().replaceAll(" ", "-");

export function repository(owner: Account, workspace: string, name: string, index: number, empty: boolean) {
  const slug = slugOf(name);
  const full_name = `${workspace}/${slug}`;
  const self = `${API}/repositories/${full_name}`;
  return {
    type: "repository",
    uuid: uuid(1_000 + index),
    full_name,
    slug,
    name,
    description:
      index % 7 === 3 ? "" : index % 7 === 4 ? "  \r\n" : `${awkwardTexts[index % awkwardTexts.length]} (${index})`,
    is_private: index % 5 !== 0,
    scm: "git",
    owner,
    created_on: time(index),
    updated_on: time(index + 5_000),
    size: empty ? 0 : 100 + index,
    language: "typescript",
    fork_policy: "no_public_forks",
    ...(empty ? {} : { mainbranch: { type: "branch", name: "main" } }),
    links: {
      self: link(self),
      html: link(`${SITE}/${full_name}`),
      avatar: link(`${SITE}/${full_name}/avatar`),
      pullrequests: link(`${self}/pullrequests`),
      commits: link(`${self}/commits`),
      forks: link(`${self}/forks`),
      watchers: link(`${self}/watchers`),
      downloads: link(`${self}/downloads`),
      hooks: link(`${self}/hooks`),
      clone: [{ name: "ssh", ...link(`git@bitbucket.org:${full_name}.git`) }],
    },
  };
}
export type Repository = ReturnType<typeof repository>;

const STATES = ["OPEN", "MERGED", "DECLINED", "MERGED", "SUPERSEDED"] as const;

/** `author` is null if the account was deleted. */
export function pullRequest(repository: Repository, author: Account | null, id: number) {
  const { hex } = seeded(id);
  const state = STATES[id % STATES.length]!;
  const self = `${repository.links.self.href}/pullrequests/${id}`;
  const raw = id % 4 === 0 ? "" : `What changed, in **Markdown**.\r\n\r\n- item ${id}\r\n`;
  const branchRef = (name: string) => ({
    branch: { name },
    commit: { hash: hex(12) },
    repository: { type: "repository", uuid: repository.uuid, full_name: repository.full_name, name: repository.name },
  });
  return {
    type: "pullrequest",
    id,
    title: `${awkwardTexts[id % awkwardTexts.length]} #${id}`,
    description: raw,
    summary: { type: "rendered", raw, markup: "markdown", html: "" },
    state,
    draft: state === "OPEN" && id % 3 === 0,
    queued: false,
    author,
    closed_by: state === "OPEN" ? null : author,
    source: branchRef(`feature-${id}`),
    destination: branchRef("main"),
    merge_commit: state === "MERGED" ? { hash: hex(12) } : null,
    close_source_branch: false,
    comment_count: id % 6,
    task_count: 0,
    reason: "",
    created_on: time(id),
    // Later than `closed_on`: something changed after the pull request was closed.
    updated_on: time(id + 900),
    // Returned only on request.
    closed_on: state === "OPEN" ? null : time(id + 400),
    links: {
      self: link(self),
      html: link(`${repository.links.html.href}/pull-requests/${id}`),
      commits: link(`${self}/commits`),
      approve: link(`${self}/approve`),
      diff: link(`${self}/diff`),
      diffstat: link(`${self}/diffstat`),
      comments: link(`${self}/comments`),
      activity: link(`${self}/activity`),
      merge: link(`${self}/merge`),
      decline: link(`${self}/decline`),
    },
  };
}

function commit(repository: Repository, index: number) {
  const hash = seeded(index + 1).hex(40);
  return {
    type: "commit",
    hash,
    date: time(index),
    message: `${awkwardTexts[index % awkwardTexts.length]}\n`,
    author: { type: "author", raw: "Grüße <author@example.com>" },
    parents: [],
    links: {
      self: link(`${repository.links.self.href}/commit/${hash}`),
      html: link(`${repository.links.html.href}/commits/${hash}`),
    },
  };
}

const AUTHORS = ["Zoë Müller <zoe@example.com>", "hubot", "<bot@example.com>", "山田 陽菜 <hina@example.com> (work)"];

/** Commits of the default branch from the newest on, which is its tip. Some authors have an account. */
function history(repository: Repository, tip: ReturnType<typeof commit>, accounts: Account[]) {
  const others = times(269, (index) => commit(repository, index + 1_000));
  return [tip, ...others].map((each, index) => ({
    ...each,
    date: time(4_000 - index),
    message: index % 19 === 7 ? "" : `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}\n`,
    author: {
      type: "author",
      raw: AUTHORS[index % AUTHORS.length]!,
      ...(index % 4 === 2 ? { user: accounts[index % accounts.length]! } : {}),
    },
  }));
}

const refLinks = (repository: Repository, kind: string, name: string) => ({
  self: link(`${repository.links.self.href}/refs/${kind}/${encodeURIComponent(name)}`),
  commits: link(`${repository.links.self.href}/commits/${encodeURIComponent(name)}`),
  html: link(`${repository.links.html.href}/branch/${encodeURIComponent(name)}`),
});

export function tag(repository: Repository, index: number) {
  const name = index === 3 ? "größe/日本語" : `v1.${index}.0`;
  const annotated = index % 2 === 1;
  return {
    type: "tag",
    name,
    message: annotated ? `Release ${index}\n` : null,
    date: annotated ? time(index) : null,
    tagger: annotated ? { type: "author", raw: "Grüße <author@example.com>" } : null,
    target: commit(repository, index),
    links: refLinks(repository, "tags", name),
  };
}

export function branch(repository: Repository, index: number) {
  const name = index === 0 ? "main" : index === 1 ? "größe/日本語" : `feature/branch-${index}`;
  return {
    type: "branch",
    name,
    default_merge_strategy: "merge_commit",
    merge_strategies: ["merge_commit", "squash", "fast_forward"],
    target: commit(repository, index + 7),
    links: refLinks(repository, "branches", name),
  };
}

/** Four workspaces, one of them empty. One repository is large, one is empty, and two share a name. */
export function makeState() {
  const me = account(1, "sandbox", "Sandbox");
  const authors = [me, account(2, "Zoë", "Zoë Müller"), account(3, "hubot", "Hubot 🤖")];
  const sizes = { acme: 120, vacant: 0, umbrella: 101, sandbox: 41 };
  let index = 0;
  const repositories = Object.entries(sizes).flatMap(([slug, count]) =>
    times(count, (position) => {
      const named: Record<string, string> = {
        "acme/0": "Rocket Engine",
        "acme/1": "Empty",
        "acme/2": "Twin",
        "umbrella/0": "Twin",
      };
      const name = named[`${slug}/${position}`] ?? `Project ${String(position).padStart(3, "0")}`;
      return repository(me, slug, name, index++, name === "Empty");
    }),
  );
  const large = repositories[0]!;
  const branches = times(260, (position) => branch(large, position));
  const content = {
    pullRequests: times(265, (position) => {
      const id = 265 - position;
      return pullRequest(large, id % 13 === 0 ? null : authors[id % authors.length]!, id);
    }),
    tags: times(255, (position) => tag(large, 255 - position)),
    branches,
    commits: history(large, branches[0]!.target, authors),
  };
  return {
    me,
    workspaces: Object.keys(sizes).map((slug, position) => workspace(100 + position, slug)),
    repositories,
    content: new Map([[large.full_name, content]]),
  };
}
export type State = ReturnType<typeof makeState>;
export type Content = ReturnType<State["content"]["get"]> & object;
