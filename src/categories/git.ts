import Type, { type Static } from "typebox";
import { category, list } from "./define.ts";
import { NullableText, NullableTimestamp, Shape, Text, Timestamp } from "./schema.ts";

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
  },
  {
    listRepositories: list("/repos", Repository, "List repositories"),
    listPullRequests: list("/repos/:repo/pulls", PullRequest, "List a repository's pull requests"),
    listIssues: list("/repos/:repo/issues", Issue, "List a repository's issues"),
    listTags: list("/repos/:repo/tags", Tag, "List a repository's tags"),
    listReleases: list("/repos/:repo/releases", Release, "List a repository's releases"),
    listBranches: list("/repos/:repo/branches", Branch, "List a repository's branches"),
  },
);
