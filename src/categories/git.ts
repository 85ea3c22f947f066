import Type, { type Static } from "typebox";
import { category, create, list } from "./define.ts";
import { fullText, state } from "./filters.ts";
import {
  Body,
  Given,
  GivenList,
  GivenText,
  NullableFlag,
  NullablePerson,
  NullableText,
  NullableTimestamp,
  Shape,
  Text,
  TextList,
  Timestamp,
} from "./schema.ts";

export const Repository = Shape("Repository", {
  // A type list instead of a union, because it serializes faster: see Nullable.
  id: Type.Unsafe<number | string>({ type: ["number", "string"] }),
  name: Text(),
  full_name: Text(),
  description: NullableText(),
  url: Text(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  pushed_at: Timestamp(),
  is_private: NullableFlag(),
  default_branch: NullableText("Null if the repository is empty"),
});
export type Repository = Static<typeof Repository>;

export const PullRequest = Shape("PullRequest", {
  id: Type.Number(),
  number: Type.Number(),
  title: Text(),
  description: NullableText(),
  draft: Type.Boolean(),
  state: Text("open, closed or merged"),
  url: Text(),
  user: Text("The author"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  merged_at: NullableTimestamp(),
  source_branch: NullableText("The branch to merge"),
  target_branch: NullableText("The branch to merge into"),
});
export type PullRequest = Static<typeof PullRequest>;

export const Issue = Shape("Issue", {
  id: Type.Number(),
  number: Type.Number(),
  title: Text(),
  description: NullableText(),
  state: Text("open or closed"),
  url: Text(),
  user: NullableText("The author"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  closed_at: NullableTimestamp(),
  labels: TextList("Names of the labels"),
  assignees: TextList("User names of the assignees"),
});
export type Issue = Static<typeof Issue>;

export const Tag = Shape("Tag", { name: Text(), commit_sha: Text() });
export type Tag = Static<typeof Tag>;

export const Release = Shape("Release", {
  id: Type.Number(),
  name: Text(),
  tag_name: Text(),
  description: Text(),
  prerelease: Type.Boolean(),
  url: Text(),
  created_at: Timestamp(),
  released_at: Timestamp("When it was published"),
});
export type Release = Static<typeof Release>;

export const Branch = Shape("Branch", { name: Text(), commit_sha: Text(), protected: Type.Boolean() });
export type Branch = Static<typeof Branch>;

export const Commit = Shape("Commit", {
  sha: Text(),
  message: NullableText(),
  url: Text(),
  author: NullableText("The author's name"),
  author_email: NullableText("The author's email address"),
  committed_at: NullableTimestamp(),
});
export type Commit = Static<typeof Commit>;

export const IssueComment = Shape("IssueComment", {
  id: Text(),
  text: NullableText("The comment, in Markdown"),
  author: NullablePerson(),
  url: NullableText("Page of the comment"),
  created_at: NullableTimestamp(),
});
export type IssueComment = Static<typeof IssueComment>;

const NewIssue = Body({
  title: Given(255, "One line"),
  description: Type.Optional(GivenText("In Markdown")),
  labels: Type.Optional(GivenList("Names of labels")),
  assignees: Type.Optional(GivenList("User names")),
});

const NewComment = Body({ text: GivenText("The comment, in Markdown") });

export const git = category(
  "git",
  "Git hosting",
  {
    repo: {
      description:
        "The repository: `owner%2Fname` (the full name, URL-encoded), or just `name` if only one of the connection's repositories has that name",
      source: { operation: "listRepositories", field: "full_name" },
      shortName: { field: "name", unless: "/" },
    },
    number: {
      description: "Number of the issue, as returned by the list of issues",
      source: { operation: "listIssues", field: "number" },
    },
  },
  {
    listRepositories: list("/repos", Repository, "List repositories"),
    listPullRequests: list("/repos/:repo/pulls", PullRequest, "List a repository's pull requests", {
      filters: { state: state(["open", "closed", "merged"]), query: fullText },
    }),
    listIssues: list("/repos/:repo/issues", Issue, "List a repository's issues", {
      filters: { state: state(["open", "closed"]), query: fullText },
    }),
    listTags: list("/repos/:repo/tags", Tag, "List a repository's tags"),
    listReleases: list("/repos/:repo/releases", Release, "List a repository's releases"),
    listBranches: list("/repos/:repo/branches", Branch, "List a repository's branches"),
    listCommits: list("/repos/:repo/commits", Commit, "List a repository's commits", {
      query: {
        branch: Type.Optional(Type.String({ minLength: 1, description: "The branch. Default: the default branch" })),
      },
      description: "Newest first.",
    }),
    listIssueComments: list("/repos/:repo/issues/:number/comments", IssueComment, "List an issue's comments", {
      description: "Oldest first.",
    }),
    createIssue: create("/repos/:repo/issues", NewIssue, Issue, "Create an issue", {
      sample: {
        title: "The upload of résumé.pdf is cut off",
        description: "Steps:\n\n1. open *settings*\n2. choose a file\n\nSee [the log](https://example.com/log).",
      },
    }),
    createIssueComment: create(
      "/repos/:repo/issues/:number/comments",
      NewComment,
      IssueComment,
      "Comment on an issue",
      { sample: { text: "Fixed in **2.1** 🎉" } },
    ),
  },
);
