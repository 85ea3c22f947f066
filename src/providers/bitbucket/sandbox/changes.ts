import { changeableList, newHash, onlyNewCommits, repositoryLists, uuid } from "../../../emulator-kit/index.ts";
import type { Links, State } from "./data.ts";

const contentOf = ({ content }: State, repo: string) => content.get(repo);
const inRepository = repositoryLists(({ content }: State) => [...content.keys()][0], contentOf);

const withPage = (links: Links, old: string | RegExp, page: string): Links => ({
  ...links,
  html: { href: links.html.href.replace(old, page) },
});

export const changes = {
  "git.listRepositories": changeableList({
    items: ({ repositories }: State) => repositories,
    keeps: ({ repositories, content }) =>
      repositories.filter(({ full_name }) => content.has(full_name)).map(({ uuid }) => uuid),
    id: ({ uuid }) => uuid,
    update: ({ title, time }) => ({ description: title, updated_on: time }),
    create({ nth, time }, { full_name, links, slug }) {
      const name = `created-${nth}`;
      return {
        uuid: `{${uuid(1_000_000 + nth)}}`,
        name,
        slug: name,
        full_name: full_name.replace(slug, name),
        created_on: time,
        links: withPage(links, slug, name),
      };
    },
  }),
  "git.listPullRequests": changeableList({
    ...inRepository(({ pullRequests }) => pullRequests),
    id: ({ id }) => id,
    update: ({ title, time }) => ({ title, updated_on: time }),
    create: ({ nth, time }, { links }) => ({
      id: 10_000 + nth,
      created_on: time,
      links: withPage(links, /\d+$/, String(10_000 + nth)),
    }),
  }),
  "git.listTags": changeableList({
    ...inRepository(({ tags }) => tags),
    id: ({ name }) => name,
    update: ({ nth }, { target }) => ({ target: { ...target, hash: newHash(nth) } }),
    create: ({ nth }) => ({ name: `v2.${nth}.0` }),
  }),
  "git.listBranches": changeableList({
    ...inRepository(({ branches }) => branches),
    newestFirst: false,
    keeps: () => ["main"],
    id: ({ name }) => name,
    update: ({ nth }, { target }) => ({ target: { ...target, hash: newHash(nth) } }),
    create: ({ nth }) => ({ name: `created/branch-${nth}` }),
  }),
  "git.listCommits": changeableList({
    ...inRepository(({ commits }) => commits),
    impossible: onlyNewCommits,
    id: ({ hash }) => hash,
    update: ({ title, time }) => ({ message: title, date: time }),
    create({ nth }, { links }) {
      const hash = newHash(nth);
      return { hash, links: withPage(links, /\w+$/, hash) };
    },
    // The default branch points at its newest commit.
    onCreate(commit, state, { repo }) {
      contentOf(state, repo!)!.branches[0]!.target = commit;
    },
  }),
};
