import { changeableList } from "../../../emulator-kit/changes.ts";
import { uuid } from "../../../emulator-kit/data.ts";
import { newHash, onlyNewCommits } from "../../../emulator-kit/git-changes.ts";
import type { State } from "./data.ts";

const contentOf = ({ content }: State, { repo }: Record<string, string>) => content.get(repo!);
const parameters = ({ content }: State) => ({ repo: [...content.keys()][0] });

export const changes = {
  "git.listRepositories": changeableList({
    items: ({ repositories }: State) => repositories,
    keeps: ({ repositories, content }) =>
      repositories.filter(({ full_name }) => content.has(full_name)).map(({ uuid }) => uuid),
    id: ({ uuid }) => uuid,
    update: ({ title, time }) => ({ description: title, updated_on: time }),
    create({ nth, time }, { full_name, links, slug }) {
      const name = `created-${nth}`;
      const html = { href: links.html.href.replace(slug, name) };
      return {
        uuid: `{${uuid(1_000_000 + nth)}}`,
        name,
        slug: name,
        full_name: full_name.replace(slug, name),
        created_on: time,
        links: { ...links, html },
      };
    },
  }),
  "git.listPullRequests": changeableList({
    items: (state: State, given) => contentOf(state, given)?.pullRequests,
    parameters,
    id: ({ id }) => id,
    update: ({ title, time }) => ({ title, updated_on: time }),
    create: ({ nth, time }, { links }) => ({
      id: 10_000 + nth,
      created_on: time,
      links: { ...links, html: { href: links.html.href.replace(/\d+$/, String(10_000 + nth)) } },
    }),
    newestFirst: true,
  }),
  "git.listTags": changeableList({
    items: (state: State, given) => contentOf(state, given)?.tags,
    parameters,
    id: ({ name }) => name,
    update: ({ nth }, { target }) => ({ target: { ...target, hash: newHash(nth) } }),
    create: ({ nth }) => ({ name: `v2.${nth}.0` }),
    newestFirst: true,
  }),
  "git.listBranches": changeableList({
    items: (state: State, given) => contentOf(state, given)?.branches,
    parameters,
    keeps: () => ["main"],
    id: ({ name }) => name,
    update: ({ nth }, { target }) => ({ target: { ...target, hash: newHash(nth) } }),
    create: ({ nth }) => ({ name: `created/branch-${nth}` }),
  }),
  "git.listCommits": changeableList({
    items: (state: State, given) => contentOf(state, given)?.commits,
    parameters,
    impossible: onlyNewCommits,
    id: ({ hash }) => hash,
    update: ({ title, time }) => ({ message: title, date: time }),
    create({ nth }, { links }) {
      const hash = newHash(nth);
      return { hash, links: { ...links, html: { href: links.html.href.replace(/\w+$/, hash) } } };
    },
    // The default branch points at its newest commit.
    onCreate(commit, state, given) {
      contentOf(state, given)!.branches[0]!.target = commit;
    },
    newestFirst: true,
  }),
};
