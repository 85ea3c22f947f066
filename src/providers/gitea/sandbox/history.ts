// Commits and comments as in the real API, without optional fields that nothing reads: https://gitea.com/api/swagger
import { awkwardTexts, commitAuthor, seeded } from "../../../emulator-kit/index.ts";
import { type Repository, time, type User } from "./data.ts";

/** A commit of the default branch, counted from its newest, whose SHA is `head`. `author` is null without an account. */
export function commit(repo: Repository, author: User | null, index: number, head: string) {
  const sha = index === 0 ? head : seeded(index + 70_000).hex(40);
  const url = `${repo.url}/git/commits/${sha}`;
  const created = time(4_001 - 2 * index);
  return {
    url,
    sha,
    created,
    html_url: `${repo.html_url}/commit/${sha}`,
    commit: {
      url,
      author: { ...commitAuthor(index), date: time(4_000 - 2 * index) },
      committer: { name: "Gitea", email: "noreply@gitea.com", date: created },
      message: `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}\n`,
    },
    author,
    committer: author,
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
    issue_url: `${repo.html_url}/issues/${number}`,
    user: author,
    body: COMMENTS[index % COMMENTS.length]!,
    created_at: time(number + index),
    updated_at: time(number + index + 1),
  };
}
