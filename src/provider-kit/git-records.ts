// Records and paths of GitHub, and of servers whose API follows GitHub's.

import type { Commit, IssueComment, Release, Repository, Tag } from "../categories/git.ts";
import { orNull } from "./optional.ts";
import { segments } from "./request.ts";
import { plainToMarkdown, toText } from "./text/plain.ts";
import { firstTime, isoTime } from "./time.ts";

interface Signature {
  name?: string | null;
  email?: string | null;
  date?: string | null;
}
// Only the fields that are read here. A field that is missing from a response counts as null.
export interface ListedRepository {
  id: number;
  name: string;
  full_name: string;
  description?: string | null;
  html_url: string;
  created_at: string | null;
  updated_at: string | null;
  pushed_at?: string | null;
  private?: boolean;
  default_branch?: string | null;
}
/** What issues and pull requests have in common. */
export interface Issuable {
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
interface ListedRelease {
  id: number;
  name?: string | null;
  tag_name: string;
  body?: string | null;
  draft?: boolean;
  prerelease: boolean;
  html_url: string;
  created_at: string;
  published_at?: string | null;
}
export interface ListedTag {
  name: string;
  commit: { sha: string };
}
export interface ListedCommit {
  sha: string;
  html_url: string;
  commit: { message?: string | null; author?: Signature | null; committer?: Signature | null };
  /** The account with the author's email address. */
  author?: { login?: string } | null;
}
export interface ListedComment {
  id: number;
  body?: string | null;
  html_url: string;
  user?: { id: number; login: string; full_name?: string } | null;
  created_at: string;
}

export const toRepository = (repository: ListedRepository): Repository => ({
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

/** What issues and pull requests have in common, in the order of their fields: `draft` is among the others. */
export const toIssuable = <User, Draft>(issuable: Issuable, user: User, draft: Draft) => ({
  id: issuable.id,
  number: issuable.number,
  title: issuable.title,
  description: toText(issuable.body),
  ...draft,
  state: issuable.state,
  url: issuable.html_url,
  user,
  created_at: firstTime(issuable.created_at),
  updated_at: firstTime(issuable.updated_at, issuable.created_at),
});

export const toRelease = (release: ListedRelease): Release => ({
  id: release.id,
  name: release.name || release.tag_name,
  tag_name: release.tag_name,
  description: toText(release.body) ?? "",
  prerelease: release.prerelease,
  url: release.html_url,
  created_at: firstTime(release.created_at),
  released_at: firstTime(release.published_at, release.created_at),
});

export const toTag = (tag: ListedTag): Tag => ({ name: tag.name, commit_sha: tag.commit.sha });

export const toCommit = ({ sha, html_url, commit, author }: ListedCommit): Commit => ({
  sha,
  message: toText(commit.message),
  url: html_url,
  author: orNull(commit.author?.name, author?.login),
  author_email: orNull(commit.author?.email),
  committed_at: isoTime(commit.committer?.date ?? commit.author?.date),
});

export const toIssueComment = ({ id, body, html_url, user, created_at }: ListedComment): IssueComment => ({
  id: String(id),
  text: toText(body),
  author: user ? { id: String(user.id), name: user.full_name || user.login } : null,
  url: html_url,
  created_at: isoTime(created_at),
});

export interface InRepository {
  repo: string;
}

export const repositoryPath =
  (name: string) =>
  ({ repo }: InRepository) =>
    `/repos/${segments(repo)}/${name}`;

export const logins = (users: { login: string }[] | null | undefined): string[] =>
  (users ?? []).map(({ login }) => login);
