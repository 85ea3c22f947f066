import {
  type Branch,
  type Issuable,
  type Issue,
  isoTime,
  type ListedRepository,
  logins,
  orNull,
  type PullRequest,
  type Repository,
  toIssuable,
  toRepository,
} from "../../provider-kit/index.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
interface GiteaRepository extends ListedRepository {
  empty?: boolean;
}
interface GiteaBranchInfo {
  /** The name of the branch. */
  label?: string;
  /** `refs/pull/…` once the branch was deleted. */
  ref?: string;
}
interface GiteaPullRequest extends Issuable {
  draft?: boolean;
  merged: boolean;
  merged_at?: string | null;
  head?: GiteaBranchInfo | null;
  base?: GiteaBranchInfo | null;
}
export interface GiteaIssue extends Issuable {
  closed_at?: string | null;
  labels?: { name: string }[] | null;
  assignees?: { login: string }[] | null;
}
interface GiteaBranch {
  name: string;
  commit: { id: string };
  protected: boolean;
}

/** The account that Gitea shows instead of a deleted one. */
const GHOST = "Ghost";

export const toGiteaRepository = (repository: GiteaRepository): Repository => ({
  // The closest to a push that Gitea has: a push changes it, but so does a changed setting.
  ...toRepository({ ...repository, pushed_at: repository.updated_at }),
  // An empty repository has the name that its first branch will get.
  ...(repository.empty ? { default_branch: null } : {}),
});

const branchName = (branch: GiteaBranchInfo | null | undefined) => orNull(branch?.label, branch?.ref);

export const toPullRequest = (pull: GiteaPullRequest): PullRequest => ({
  ...toIssuable(pull, pull.user?.login ?? GHOST, { draft: pull.draft ?? false }),
  state: pull.merged ? "merged" : pull.state,
  merged_at: isoTime(pull.merged_at),
  source_branch: branchName(pull.head),
  target_branch: branchName(pull.base),
});

export const toIssue = (issue: GiteaIssue): Issue => ({
  ...toIssuable(issue, orNull(issue.user?.login), {}),
  closed_at: isoTime(issue.closed_at),
  labels: (issue.labels ?? []).map(({ name }) => name),
  assignees: logins(issue.assignees),
});

export const toBranch = (branch: GiteaBranch): Branch => ({
  name: branch.name,
  commit_sha: branch.commit.id,
  protected: branch.protected,
});
