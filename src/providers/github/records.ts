import type { Branch, Issue, PullRequest, Release, Repository, Tag } from "../../categories/git.ts";
import { logins } from "../../provider-kit/git-records.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GitHubRepository {
  id: number;
  name: string;
  full_name: string;
  description: string | null;
  html_url: string;
  created_at: string | null;
  updated_at: string | null;
  pushed_at: string | null;
  private?: boolean;
  default_branch?: string | null;
}
export interface GitHubPullRequest {
  id: number;
  number: number;
  title: string;
  body: string | null;
  draft?: boolean;
  state: string;
  html_url: string;
  user: { login: string } | null;
  created_at: string;
  updated_at: string;
  merged_at: string | null;
  head?: { ref: string } | null;
  base?: { ref: string } | null;
}
export interface GitHubIssue {
  id: number;
  number: number;
  title: string;
  body?: string | null;
  state: string;
  html_url: string;
  user: { login: string } | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  labels?: (string | { name?: string })[];
  assignees?: { login: string }[] | null;
  pull_request?: unknown;
}
interface GitHubRelease {
  id: number;
  name: string | null;
  tag_name: string;
  body?: string | null;
  draft: boolean;
  prerelease: boolean;
  html_url: string;
  created_at: string;
  published_at: string | null;
}
interface GitHubTag {
  name: string;
  commit: { sha: string };
}
interface GitHubBranch extends GitHubTag {
  protected: boolean;
}

/** The account that GitHub shows instead of a deleted one. */
const GHOST = "ghost";

export const toRepository = (repository: GitHubRepository): Repository => ({
  id: repository.id,
  name: repository.name,
  full_name: repository.full_name,
  // Shown as typed, unlike the other descriptions.
  description: plainToMarkdown(repository.description),
  url: repository.html_url,
  created_at: firstTime(repository.created_at),
  updated_at: firstTime(repository.updated_at, repository.created_at),
  // Null until the first push.
  pushed_at: firstTime(repository.pushed_at, repository.created_at),
  is_private: repository.private ?? null,
  default_branch: orNull(repository.default_branch),
});

export const toPullRequest = (pull: GitHubPullRequest): PullRequest => ({
  id: pull.id,
  number: pull.number,
  title: pull.title,
  description: toText(pull.body),
  draft: pull.draft ?? false,
  state: pull.merged_at ? "merged" : pull.state,
  url: pull.html_url,
  user: pull.user?.login ?? GHOST,
  created_at: firstTime(pull.created_at),
  updated_at: firstTime(pull.updated_at),
  merged_at: isoTime(pull.merged_at),
  source_branch: orNull(pull.head?.ref),
  target_branch: orNull(pull.base?.ref),
});

export const toIssue = (issue: GitHubIssue): Issue => ({
  id: issue.id,
  number: issue.number,
  title: issue.title,
  description: toText(issue.body),
  state: issue.state,
  url: issue.html_url,
  user: orNull(issue.user?.login),
  created_at: firstTime(issue.created_at),
  updated_at: firstTime(issue.updated_at),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
  assignees: logins(issue.assignees),
});

export const toRelease = (release: GitHubRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: toText(release.body) ?? "",
  prerelease: release.prerelease,
  url: release.html_url,
  created_at: firstTime(release.created_at),
  released_at: firstTime(release.published_at, release.created_at),
});

export const toTag = (tag: GitHubTag): Tag => ({ name: tag.name, commit_sha: tag.commit.sha });
export const toBranch = (branch: GitHubBranch): Branch => ({ ...toTag(branch), protected: branch.protected });
