import type { Branch, Issue, PullRequest, Release, Repository, Tag } from "../../categories/git.ts";
import { logins } from "../../provider-kit/git-records.ts";
import { orNull } from "../../provider-kit/optional.ts";
import { plainToMarkdown, toText } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
interface GiteaRepository {
  id: number;
  name: string;
  full_name: string;
  description?: string | null;
  html_url: string;
  created_at: string;
  updated_at: string;
  private?: boolean;
  empty?: boolean;
  default_branch?: string | null;
}
interface GiteaBranchInfo {
  /** The name of the branch. */
  label?: string;
  /** `refs/pull/…` once the branch was deleted. */
  ref?: string;
}
interface GiteaIssuable {
  id: number;
  number: number;
  title: string;
  body?: string | null;
  state: string;
  html_url: string;
  user?: { login: string } | null;
  created_at: string;
  updated_at: string;
}
interface GiteaPullRequest extends GiteaIssuable {
  draft?: boolean;
  merged: boolean;
  merged_at?: string | null;
  head?: GiteaBranchInfo | null;
  base?: GiteaBranchInfo | null;
}
export interface GiteaIssue extends GiteaIssuable {
  closed_at?: string | null;
  labels?: { name: string }[] | null;
  assignees?: { login: string }[] | null;
}
export interface GiteaTag {
  name: string;
  commit: { sha: string };
}
interface GiteaRelease {
  id: number;
  name?: string | null;
  tag_name: string;
  body?: string | null;
  prerelease: boolean;
  html_url: string;
  created_at: string;
  published_at?: string | null;
}
interface GiteaBranch {
  name: string;
  commit: { id: string };
  protected: boolean;
}

/** The account that Gitea shows instead of a deleted one. */
const GHOST = "Ghost";

export const toRepository = (repository: GiteaRepository): Repository => ({
  id: repository.id,
  name: repository.name,
  full_name: repository.full_name,
  // Shown as typed, unlike the other descriptions.
  description: plainToMarkdown(repository.description),
  url: repository.html_url,
  created_at: firstTime(repository.created_at),
  updated_at: firstTime(repository.updated_at, repository.created_at),
  // The closest that Gitea has: a push changes it, but so does a changed setting.
  pushed_at: firstTime(repository.updated_at, repository.created_at),
  is_private: repository.private ?? null,
  // An empty repository has the name that its first branch will get.
  default_branch: repository.empty ? null : orNull(repository.default_branch),
});

const toIssuable = (issuable: GiteaIssuable) => ({
  id: issuable.id,
  number: issuable.number,
  title: issuable.title,
  description: toText(issuable.body),
  state: issuable.state,
  url: issuable.html_url,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

const branchName = (branch: GiteaBranchInfo | null | undefined) => orNull(branch?.label, branch?.ref);

export const toPullRequest = (pull: GiteaPullRequest): PullRequest => ({
  ...toIssuable(pull),
  draft: pull.draft ?? false,
  state: pull.merged ? "merged" : pull.state,
  user: pull.user?.login ?? GHOST,
  merged_at: isoTime(pull.merged_at),
  source_branch: branchName(pull.head),
  target_branch: branchName(pull.base),
});

export const toIssue = (issue: GiteaIssue): Issue => ({
  ...toIssuable(issue),
  user: orNull(issue.user?.login),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).map(({ name }) => name),
  assignees: logins(issue.assignees),
});

export const toRelease = (release: GiteaRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: toText(release.body) ?? "",
  prerelease: release.prerelease,
  url: release.html_url,
  created_at: firstTime(release.created_at),
  released_at: firstTime(release.published_at, release.created_at),
});

export const toTag = (tag: GiteaTag): Tag => ({ name: tag.name, commit_sha: tag.commit.sha });

export const toBranch = (branch: GiteaBranch): Branch => ({
  name: branch.name,
  commit_sha: branch.commit.id,
  protected: branch.protected,
});

/** Gitea's default; a server can be configured otherwise. */
export const MAX_PAGE_SIZE = 50;
