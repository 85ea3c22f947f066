// Objects as in the real API, without optional fields that nothing reads: https://developer.atlassian.com/cloud/bitbucket/rest/
import { awkwardTexts, branchName, hour, seeded, times } from "../../../emulator-kit/index.ts";

const SITE = "https://bitbucket.org";
const API = "https://api.bitbucket.org/2.0";

/** Bitbucket's times have microseconds and an offset. */
export const time = (index: number) => hour(index).toISOString().replace(".000Z", ".123456+00:00");

const link = (href: string) => ({ href });
/** The addresses of a record in the API and on the site. */
const linksTo = (api: string, page: string) => ({ self: link(api), html: link(page) });
export type Links = ReturnType<typeof linksTo>;

function uuid(seed: number): string {
  const { hex } = seeded(seed);
  return `{${[8, 4, 4, 4, 12].map(hex).join("-")}}`;
}

function account(id: number, nickname: string, display_name: string) {
  const accountUuid = uuid(id);
  return {
    type: "user",
    uuid: accountUuid,
    nickname,
    display_name,
    links: {
      avatar: link(`${SITE}/account/${nickname}/avatar/`),
      html: link(`${SITE}/${encodeURIComponent(accountUuid)}/`),
    },
  };
}
type Account = ReturnType<typeof account>;

const workspace = (id: number, slug: string) => ({
  type: "workspace_access",
  administrator: id === 100,
  workspace: { type: "workspace_base", uuid: uuid(id), slug, links: { self: link(`${API}/workspaces/${slug}`) } },
});

/** By itself, it has more fields than in the list. */
export const shownWorkspace = ({ slug, ...base }: ReturnType<typeof workspace>["workspace"]) => ({
  ...base,
  type: "workspace",
  slug,
  name: slug,
  is_private: true,
  created_on: time(0),
  links: { ...base.links, html: link(`${SITE}/${slug}/`), avatar: link(`${SITE}/workspaces/${slug}/avatar/`) },
});

function repository(owner: Account, workspace: string, name: string, index: number) {
  const slug = name.toLowerCase().replaceAll(" ", "-");
  const full_name = `${workspace}/${slug}`;
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
    ...(name === "Empty" ? {} : { mainbranch: { type: "branch", name: "main" } }),
    links: linksTo(`${API}/repositories/${full_name}`, `${SITE}/${full_name}`),
  };
}
type Repository = ReturnType<typeof repository>;

const STATES = ["OPEN", "MERGED", "DECLINED", "MERGED", "SUPERSEDED"] as const;

/** `author` is null if the account was deleted. */
function pullRequest({ links: { self, html } }: Repository, author: Account | null, id: number) {
  const state = STATES[id % STATES.length]!;
  const raw = id % 4 === 0 ? "" : `What changed, in **Markdown**.\r\n\r\n- item ${id}\r\n`;
  return {
    type: "pullrequest",
    id,
    title: `${awkwardTexts[id % awkwardTexts.length]} #${id}`,
    summary: { type: "rendered", raw, markup: "markdown", html: "" },
    state,
    draft: state === "OPEN" && id % 3 === 0,
    author,
    source: { branch: { name: `feature-${id}` } },
    destination: { branch: { name: "main" } },
    created_on: time(id),
    // Later than `closed_on`: something changed after the pull request was closed.
    updated_on: time(id + 900),
    // Returned only on request.
    closed_on: state === "OPEN" ? null : time(id + 400),
    links: linksTo(`${self.href}/pullrequests/${id}`, `${html.href}/pull-requests/${id}`),
  };
}

function commit({ links: { self, html } }: Repository, index: number) {
  const hash = seeded(index + 1).hex(40);
  return {
    type: "commit",
    hash,
    date: time(index),
    message: `${awkwardTexts[index % awkwardTexts.length]}\n`,
    author: { type: "author", raw: "Grüße <author@example.com>" },
    links: linksTo(`${self.href}/commit/${hash}`, `${html.href}/commits/${hash}`),
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

const tag = (repository: Repository, index: number) => ({
  type: "tag",
  name: index === 3 ? "größe/日本語" : `v1.${index}.0`,
  target: commit(repository, index),
});

const branch = (repository: Repository, index: number) => ({
  type: "branch",
  name: branchName(index),
  target: commit(repository, index + 7),
});

/** Four workspaces, one of them empty. One repository is large, one is empty, and two share a name. */
export function makeState() {
  const me = account(1, "sandbox", "Sandbox");
  const authors = [me, account(2, "Zoë", "Zoë Müller"), account(3, "hubot", "Hubot 🤖")];
  const sizes = { acme: 120, vacant: 0, umbrella: 101, sandbox: 41 };
  const names: Record<string, string[]> = { acme: ["Rocket Engine", "Empty", "Twin"], umbrella: ["Twin"] };
  let index = 0;
  const repositories = Object.entries(sizes).flatMap(([slug, count]) =>
    times(count, (position) => {
      const name = names[slug]?.[position] ?? `Project ${String(position).padStart(3, "0")}`;
      return repository(me, slug, name, index++);
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
