// Commits and comments as in the real API, without optional fields that nothing reads: https://docs.github.com/en/rest
import { awkwardTexts, commitAuthor, seeded } from "../../../emulator-kit/index.ts";
import { nodeId, type Repository, time, type User } from "./data.ts";

/** A commit of the default branch, counted from its newest, whose SHA is `head`. `author` is null without an account. */
export function commit(repo: Repository, author: User | null, index: number, head: string) {
  const shaOf = (at: number) => (at === 0 ? head : seeded(at + 70_000).hex(40));
  const reference = (sha: string, list: string) => ({ sha, url: `${repo.url}/${list}/${sha}` });
  const sha = shaOf(index);
  return {
    ...reference(sha, "commits"),
    node_id: nodeId("Commit", index),
    html_url: `${repo.html_url}/commit/${sha}`,
    comments_url: `${repo.url}/commits/${sha}/comments`,
    commit: {
      url: `${repo.url}/git/commits/${sha}`,
      author: { ...commitAuthor(index), date: time(4_000 - 2 * index) },
      committer: { name: "GitHub", email: "noreply@github.com", date: time(4_001 - 2 * index) },
      message: index % 19 === 7 ? "" : `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}`,
      comment_count: 0,
      tree: reference(seeded(index + 80_000).hex(40), "git/trees"),
    },
    author,
    committer: author,
    parents: [reference(shaOf(index + 1), "commits")],
  };
}

const COMMENTS = [
  "Same here, @hubot.\r\n\r\n> quoted\r\n\r\n```ts\r\nconst größe = 1;\r\n```",
  "",
  "<!-- from a template -->\r\n<details>\r\n<summary>Log</summary>\r\n\r\n`日本語`\r\n</details>",
  "- [x] done\n- [ ] open :tada:",
];

export function comment(repo: Repository, number: number, author: User | null, index: number) {
  const id = 50_000_000 + number * 1_000 + index;
  return {
    id,
    node_id: nodeId("IssueComment", id),
    url: `${repo.url}/issues/comments/${id}`,
    html_url: `${repo.html_url}/issues/${number}#issuecomment-${id}`,
    issue_url: `${repo.url}/issues/${number}`,
    user: author,
    created_at: time(number + index),
    updated_at: time(number + index + 1),
    author_association: "NONE",
    body: COMMENTS[index % COMMENTS.length]!,
  };
}
