// Commits and comments, with the same fields as in the real API: https://gitea.com/api/swagger
import { awkwardTexts, seeded } from "../../../emulator-kit/data.ts";
import { type Repository, time, type User } from "./data.ts";

/** A commit of the default branch, counted from its newest, whose SHA is `head`. `author` is null without an account. */
export function commit(repo: Repository, author: User | null, index: number, head: string) {
  const sha = index === 0 ? head : seeded(index + 70_000).hex(40);
  const created = time(4_001 - 2 * index);
  const meta = (hash: string) => ({
    url: `${repo.url}/git/commits/${hash}`,
    sha: hash,
    created: "0001-01-01T00:00:00Z",
  });
  return {
    ...meta(sha),
    created,
    html_url: `${repo.html_url}/commit/${sha}`,
    commit: {
      url: `${repo.url}/git/commits/${sha}`,
      author: {
        name: index % 17 === 5 ? "" : "Zoë Müller",
        email: index % 17 === 6 ? "" : "zoe@example.com",
        date: time(4_000 - 2 * index),
      },
      committer: { name: "Gitea", email: "noreply@gitea.com", date: created },
      message: `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}\n`,
      tree: meta(seeded(index + 80_000).hex(40)),
      verification: null,
    },
    author,
    committer: author,
    parents: [meta(seeded(index + 70_001).hex(40))],
    files: null,
    stats: null,
  };
}

const COMMENTS = [
  "Same here, @zoe.\r\n\r\n> quoted\r\n\r\n```ts\r\nconst größe = 1;\r\n```",
  "",
  "<!-- from a template -->\r\n`日本語`",
  "- [x] done\n- [ ] open :tada:",
];

export function comment(repo: Repository, number: number, author: User, index: number) {
  const id = 5_000_000 + number * 1_000 + index;
  return {
    id,
    html_url: `${repo.html_url}/issues/${number}#issuecomment-${id}`,
    pull_request_url: "",
    issue_url: `${repo.html_url}/issues/${number}`,
    user: author,
    original_author: "",
    original_author_id: 0,
    body: COMMENTS[index % COMMENTS.length]!,
    assets: [],
    created_at: time(number + index),
    updated_at: time(number + index + 1),
  };
}
