// The lists of GitHub, and of servers whose API follows GitHub's, that can be changed on command.
import type { ChangeableList } from "../contracts/emulator.ts";
import { changeableList } from "./changes.ts";
import { seeded, toSecond } from "./data.ts";

interface Conversation {
  id: number;
  number: number;
  title: string;
  html_url: string;
  created_at: string;
  updated_at: string;
  pull_request?: unknown;
}
interface Head {
  sha?: string;
  id?: string;
}
interface Content {
  issues: Conversation[];
  pulls: Conversation[];
  tags: { name: string; commit: Head }[];
  releases: {
    id: number;
    name: string | null;
    tag_name: string;
    draft: boolean;
    created_at: string;
    published_at: string | null;
  }[];
  /** The first is the default branch. */
  branches: { name: string; protected: boolean; commit: Head }[];
  commits: {
    sha: string;
    html_url: string;
    commit: { message: string; author: { date: string }; committer: { date: string } };
  }[];
  commentsOf(number: number): { id: number; body: string; created_at: string; updated_at: string }[];
}
interface Repository {
  id: number;
  name: string;
  full_name: string;
  description: string | null;
  html_url: string;
  created_at: string;
  updated_at: string;
  owner: { login: string };
}
interface GitState {
  repositories: Repository[];
  /** By the full name of the repository. */
  content: Map<string, Content>;
}

export const newHash = (nth: number) => seeded(1_000_000 + nth).hex(40);
/** Above all ids and numbers that the emulators start with. */
const newId = (nth: number) => 200_000_000 + nth;

const COMMITS_STAY = "a commit never changes, and stays in the history of its branch";
export const onlyNewCommits = { update: COMMITS_STAY, delete: COMMITS_STAY };

/** Lists of the repository that `repo` names: by default, of the first one that has content. */
export const repositoryLists =
  <State, Content>(
    first: (state: State) => string | undefined,
    contentOf: (state: State, repo: string) => Content | undefined,
  ) =>
  <Item>(pick: (content: Content) => Item[]) => ({
    parameters: (state: State) => ({ repo: first(state) }),
    items(state: State, { repo }: Record<string, string>) {
      const content = contentOf(state, repo!);
      return content && pick(content);
    },
    newestFirst: true,
  });

/** `pointAt` is the head of a branch or tag when it points at a commit. */
export function gitChanges<State extends GitState>(
  pointAt: (head: Head, sha: string) => Head,
): Record<string, ChangeableList<State>> {
  const contentOf = ({ content }: GitState, repo: string) => content.get(repo);
  const inRepository = repositoryLists(({ content }: GitState) => [...content.keys()][0], contentOf);

  const conversations = (name: "issues" | "pulls") =>
    changeableList({
      ...inRepository((content) => content[name]),
      // The list of issues has the pull requests as well.
      isShown: ({ pull_request }) => name === "pulls" || !pull_request,
      id: ({ id }) => id,
      update: ({ title, now }) => ({ title, updated_at: toSecond(now) }),
      create({ nth, now }, { id, number: old, html_url }) {
        const number = 10_000 + nth;
        return {
          // As new ones of clients, so that these have other numbers.
          id: id - old + number,
          number,
          html_url: html_url.replace(/\d+$/, String(number)),
          created_at: toSecond(now),
        };
      },
      onCreate({ number }, state, { repo }) {
        contentOf(state, repo!)!.commentsOf(number).length = 0;
      },
    });

  return {
    "git.listRepositories": changeableList({
      items: ({ repositories }: GitState) => repositories,
      keeps: ({ repositories, content }) =>
        repositories.filter(({ full_name }) => content.has(full_name)).map(({ id }) => id),
      id: ({ id }) => id,
      update: ({ title, now }) => ({ description: title, updated_at: toSecond(now) }),
      create({ nth, now }, { owner, full_name, html_url }) {
        const name = `created-${nth}`;
        return {
          id: newId(nth),
          name,
          full_name: `${owner.login}/${name}`,
          html_url: html_url.replace(full_name, `${owner.login}/${name}`),
          created_at: toSecond(now),
        };
      },
    }),
    "git.listIssues": conversations("issues"),
    "git.listPullRequests": conversations("pulls"),
    "git.listTags": changeableList({
      ...inRepository(({ tags }) => tags),
      id: ({ name }) => name,
      update: ({ nth }, { commit }) => ({ commit: pointAt(commit, newHash(nth)) }),
      create: ({ nth }) => ({ name: `v2.${nth}.0` }),
    }),
    "git.listReleases": changeableList({
      ...inRepository(({ releases }) => releases),
      isShown: ({ draft }) => !draft,
      id: ({ id }) => id,
      update: ({ title }) => ({ name: title }),
      create: ({ nth, now }) => ({
        id: newId(nth),
        tag_name: `v2.${nth}.0`,
        created_at: toSecond(now),
        published_at: toSecond(now),
      }),
    }),
    "git.listBranches": changeableList({
      ...inRepository(({ branches }) => branches),
      newestFirst: false,
      keeps: () => ["main"],
      id: ({ name }) => name,
      update: ({ nth }, { commit }) => ({ commit: pointAt(commit, newHash(nth)) }),
      create: ({ nth }) => ({ name: `created/branch-${nth}`, protected: false }),
    }),
    "git.listCommits": changeableList({
      ...inRepository(({ commits }) => commits),
      impossible: onlyNewCommits,
      id: ({ sha }) => sha,
      update: ({ title, now }, { commit }) => ({
        commit: {
          ...commit,
          message: title,
          author: { ...commit.author, date: toSecond(now) },
          committer: { ...commit.committer, date: toSecond(now) },
        },
      }),
      create({ nth }, { html_url }) {
        const sha = newHash(nth);
        return { sha, html_url: html_url.replace(/\w+$/, sha) };
      },
      // The default branch points at its newest commit.
      onCreate({ sha }, state, { repo }) {
        const [branch] = contentOf(state, repo!)!.branches;
        branch!.commit = pointAt(branch!.commit, sha);
      },
    }),
    "git.listIssueComments": changeableList({
      parameters: ({ content }) => {
        const [repo, found] = [...content][0]!;
        const issue = found.issues.find((one) => !one.pull_request && found.commentsOf(one.number).length > 0);
        return { repo, number: issue && String(issue.number) };
      },
      items(state: GitState, { repo, number: wanted }) {
        const content = contentOf(state, repo!);
        const issue = content?.issues.find(({ number }) => String(number) === wanted);
        return issue && content?.commentsOf(issue.number);
      },
      update: ({ title, now }) => ({ body: title, updated_at: toSecond(now) }),
      create: ({ nth, now }) => ({ id: newId(nth), created_at: toSecond(now) }),
    }),
  };
}
