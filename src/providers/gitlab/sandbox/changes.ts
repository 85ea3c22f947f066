import { changeableList } from "../../../emulator-kit/changes.ts";
import { newHash, onlyNewCommits } from "../../../emulator-kit/git-changes.ts";
import { toRelease } from "../git.ts";
import type { Content, State } from "./state.ts";

type Given = Record<string, string>;

const contentOf = ({ projects, content }: State, { repo }: Given): Content | undefined =>
  content.get(projects.find(({ path_with_namespace }) => path_with_namespace === repo)?.id ?? 0);
const first = ({ projects, content }: State) => projects.find(({ id }) => content.has(id))?.path_with_namespace;
const parameters = (state: State) => ({ repo: first(state) });
/** Above all ids and numbers that the data starts with. */
const newId = (nth: number) => 50_000_000 + nth;
const newNumber = (nth: number) => 10_000 + nth;

const conversation = <Item extends Content["issues"][number] | Content["mergeRequests"][number]>(
  pick: (content: Content) => Item[],
) =>
  changeableList<State, Content["issues"][number] | Content["mergeRequests"][number]>({
    items(state, given) {
      const content = contentOf(state, given);
      return content && pick(content);
    },
    parameters,
    id: ({ id }) => id,
    update: ({ title, time }) => ({ title, updated_at: time }),
    create: ({ nth, time }, { id, iid, web_url }) => ({
      // As new ones of clients, so that these have other numbers.
      id: id - iid + newNumber(nth),
      iid: newNumber(nth),
      web_url: web_url.replace(/\d+$/, String(newNumber(nth))),
      created_at: time,
    }),
    newestFirst: true,
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
  "git.listIssues": conversation(({ issues }) => issues),
  "git.listPullRequests": conversation(({ mergeRequests }) => mergeRequests),
  "git.listTags": changeableList({
    items: (state: State, given) => contentOf(state, given)?.tags,
    parameters,
    id: ({ name }) => name,
    update: ({ nth }, { commit }) => ({ commit: commit && { ...commit, id: newHash(nth) }, target: newHash(nth) }),
    create: ({ nth }) => ({ name: `v2.${nth}.0` }),
    newestFirst: true,
  }),
  "git.listReleases": changeableList({
    items: (state: State, given) => contentOf(state, given)?.releases,
    parameters,
    id: (release) => toRelease(release, "").id,
    update: ({ title }) => ({ name: title }),
    create({ nth, time }, { _links, tag_name }) {
      const tag = `v2.${nth}.0`;
      const self = _links.self.replace(encodeURIComponent(tag_name), tag);
      return { tag_name: tag, created_at: time, released_at: time, _links: { ..._links, self } };
    },
    newestFirst: true,
  }),
  "git.listBranches": changeableList({
    items: (state: State, given) => contentOf(state, given)?.branches,
    parameters,
    keeps: () => ["main"],
    id: ({ name }) => name,
    update: ({ nth }, { commit }) => ({ commit: { ...commit, id: newHash(nth) } }),
    create: ({ nth }) => ({ name: `created/branch-${nth}`, default: false, protected: false }),
  }),
  "git.listCommits": changeableList({
    items: (state: State, given) => contentOf(state, given)?.commits,
    parameters,
    impossible: onlyNewCommits,
    id: ({ id }) => id,
    update: ({ title, time }) => ({ message: title, committed_date: time, created_at: time }),
    create({ nth }, { web_url }) {
      const id = newHash(nth);
      return { id, short_id: id.slice(0, 8), web_url: web_url.replace(/\w+$/, id) };
    },
    // The default branch points at its newest commit.
    onCreate(commit, state, given) {
      contentOf(state, given)!.branches[0]!.commit = { ...commit, parent_ids: [] };
    },
    newestFirst: true,
  }),
  "git.listIssueComments": changeableList({
    items(state: State, given) {
      const content = contentOf(state, given);
      const issue = content?.issues.find(({ iid }) => String(iid) === given.number);
      return issue && content?.notesOf(issue);
    },
    parameters(state) {
      const repo = first(state);
      const { issues, notesOf } = contentOf(state, { repo: repo! })!;
      return { repo, number: String(issues.find((issue) => notesOf(issue).some(({ system }) => !system))?.iid) };
    },
    shows: () => (note) => !note.system,
    id: ({ id }) => String(id),
    update: ({ title, time }) => ({ body: title, updated_at: time }),
    create: ({ nth, time }) => ({ id: newId(nth), created_at: time }),
  }),
};
