import {
  type Branch,
  type Issuable,
  type Issue,
  isoTime,
  type ListedTag,
  logins,
  orNull,
  type PullRequest,
  toIssuable,
  toTag,
} from "../../provider-kit/index.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
export interface GitHubPullRequest extends Issuable {
  draft?: boolean;
  merged_at: string | null;
  head?: { ref: string } | null;
  base?: { ref: string } | null;
}
export interface GitHubIssue extends Issuable {
  closed_at: string | null;
  labels?: (string | { name?: string })[];
  assignees?: { login: string }[] | null;
  pull_request?: unknown;
}
interface GitHubBranch extends ListedTag {
  protected: boolean;
}

/** The account that GitHub shows instead of a deleted one. */
const GHOST = "ghost";

export const toPullRequest = (pull: GitHubPullRequest): PullRequest => ({
  ...toIssuable(pull, pull.user?.login ?? GHOST, { draft: pull.draft ?? false }),
  state: pull.merged_at ? "merged" : pull.state,
  merged_at: isoTime(pull.merged_at),
  source_branch: orNull(pull.head?.ref),
  target_branch: orNull(pull.base?.ref),
});

export const toIssue = (issue: GitHubIssue): Issue => ({
  ...toIssuable(issue, orNull(issue.user?.login), {}),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
  assignees: logins(issue.assignees),
});

export const toBranch = (branch: GitHubBranch): Branch => ({ ...toTag(branch), protected: branch.protected });
