// Commits and comments, with the same fields as in the real API: https://docs.github.com/en/rest
import { awkwardTexts, seeded } from "../../../emulator-kit/data.ts";
import { nodeId, type Repository, SITE, time, type User } from "./data.ts";

/** A commit of the default branch, counted from its newest, whose SHA is `head`. `author` is null without an account. */
export function commit(repo: Repository, author: User | null, index: number, head: string) {
  const shaOf = (at: number) => (at === 0 ? head : seeded(at + 70_000).hex(40));
  const sha = shaOf(index);
  const url = `${repo.url}/commits/${sha}`;
  const tree = seeded(index + 80_000).hex(40);
  return {
    sha,
    node_id: nodeId("Commit", index),
    url,
    html_url: `${SITE}/${repo.full_name}/commit/${sha}`,
    comments_url: `${url}/comments`,
    commit: {
      url: `${repo.url}/git/commits/${sha}`,
      // An author's name and address are what the author's Git sent, which may be nothing.
      author: {
        name: index % 17 === 5 ? "" : "Zoë Müller",
        email: index % 17 === 6 ? "" : "zoe@example.com",
        date: time(4_000 - 2 * index),
      },
      committer: { name: "GitHub", email: "noreply@github.com", date: time(4_001 - 2 * index) },
      message: index % 19 === 7 ? "" : `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}`,
      comment_count: 0,
      tree: { sha: tree, url: `${repo.url}/git/trees/${tree}` },
      verification: { verified: false, reason: "unsigned", payload: null, signature: null, verified_at: null },
    },
    author,
    committer: author,
    parents: [shaOf(index + 1)].map((parent) => ({
      sha: parent,
      url: `${repo.url}/commits/${parent}`,
      html_url: `${SITE}/${repo.full_name}/commit/${parent}`,
    })),
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
    html_url: `${SITE}/${repo.full_name}/issues/${number}#issuecomment-${id}`,
    issue_url: `${repo.url}/issues/${number}`,
    user: author,
    created_at: time(number + index),
    updated_at: time(number + index + 1),
    author_association: "NONE",
    body: COMMENTS[index % COMMENTS.length]!,
    performed_via_github_app: null,
    reactions: {
      url: `${repo.url}/issues/comments/${id}/reactions`,
      total_count: 0,
      ...Object.fromEntries(REACTIONS.map((name) => [name, 0])),
    },
  };
}
const REACTIONS = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"];
