import { changeableList, newHash, onlyNewCommits, repositoryLists } from "../../../emulator-kit/index.ts";
import { toRelease } from "../records.ts";
import type { Content, State } from "./state.ts";

const contentOf = ({ projects, content }: State, repo: string): Content | undefined =>
  content.get(projects.find(({ path_with_namespace }) => path_with_namespace === repo)?.id ?? 0);
const first = ({ projects, content }: State) => projects.find(({ id }) => content.has(id))?.path_with_namespace;
const inProject = repositoryLists(first, contentOf);
/** Above all ids and numbers that the data starts with. */
const newId = (nth: number) => 50_000_000 + nth;
const newNumber = (nth: number) => 10_000 + nth;

type Conversation = Content["issues"][number] | Content["mergeRequests"][number];

const conversations = (pick: (content: Content) => Conversation[]) =>
  changeableList({
    ...inProject(pick),
    id: ({ id }) => id,
    update: ({ title, time }) => ({ title, updated_at: time }),
    create: ({ nth, time }, { id, iid, web_url }) => ({
      // As new ones of clients, so that these have other numbers.
      id: id - iid + newNumber(nth),
      iid: newNumber(nth),
      web_url: web_url.replace(/\d+$/, String(newNumber(nth))),
      created_at: time,
    }),
  });

export const changes = {
  "git.listRepositories": changeableList({
    items: ({ projects }: State) => projects,
    keeps: ({ content }) => content.keys(),
    id: ({ id }) => id,
    update: ({ title, time }) => ({ description: title, last_activity_at: time, updated_at: time }),
    create({ nth, time }, { namespace, web_url, path }) {
      const name = `created-${nth}`;
      return {
        // Newer projects have greater ids.
        id: newNumber(nth),
        name,
        path: name,
        path_with_namespace: `${namespace.full_path}/${name}`,
        web_url: web_url.replace(path, name),
        created_at: time,
      };
    },
    newestFirst: true,
  }),
  "git.listIssues": conversations(({ issues }) => issues),
  "git.listPullRequests": conversations(({ mergeRequests }) => mergeRequests),
  "git.listTags": changeableList({
    ...inProject(({ tags }) => tags),
    id: ({ name }) => name,
    update: ({ nth }, { commit }) => ({ commit: commit && { ...commit, id: newHash(nth) }, target: newHash(nth) }),
    create: ({ nth }) => ({ name: `v2.${nth}.0` }),
  }),
  "git.listReleases": changeableList({
    ...inProject(({ releases }) => releases),
    id: (release) => toRelease(release, "").id,
    update: ({ title }) => ({ name: title }),
    create({ nth, time }, { _links, tag_name }) {
      const tag = `v2.${nth}.0`;
      const self = _links.self.replace(encodeURIComponent(tag_name), tag);
      return { tag_name: tag, created_at: time, released_at: time, _links: { ..._links, self } };
    },
  }),
  "git.listBranches": changeableList({
    ...inProject(({ branches }) => branches),
    newestFirst: false,
    keeps: () => ["main"],
    id: ({ name }) => name,
    update: ({ nth }, { commit }) => ({ commit: { ...commit, id: newHash(nth) } }),
    create: ({ nth }) => ({ name: `created/branch-${nth}`, default: false, protected: false }),
  }),
  "git.listCommits": changeableList({
    ...inProject(({ commits }) => commits),
    impossible: onlyNewCommits,
    update: ({ title, time }) => ({ message: title, committed_date: time, created_at: time }),
    create({ nth }, { web_url }) {
      const id = newHash(nth);
      return { id, short_id: id.slice(0, 8), web_url: web_url.replace(/\w+$/, id) };
    },
    // The default branch points at its newest commit.
    onCreate(commit, state, { repo }) {
      contentOf(state, repo!)!.branches[0]!.commit = commit;
    },
  }),
  "git.listIssueComments": changeableList({
    items(state: State, { repo, number }) {
      const content = contentOf(state, repo!);
      const issue = content?.issues.find(({ iid }) => String(iid) === number);
      return issue && content?.notesOf(issue.iid);
    },
    parameters(state) {
      const repo = first(state)!;
      const { issues, notesOf } = contentOf(state, repo)!;
      return { repo, number: String(issues.find(({ iid }) => notesOf(iid).some(({ system }) => !system))?.iid) };
    },
    isShown: ({ system }) => !system,
    update: ({ title, time }) => ({ body: title, updated_at: time }),
    create: ({ nth, time }) => ({ id: newId(nth), created_at: time }),
  }),
};
