// Records and paths of GitHub, and of servers whose API follows GitHub's.

import type { Commit, IssueComment } from "../categories/git.ts";
import { orNull } from "./optional.ts";
import { segments } from "./request.ts";
import { toText } from "./text/plain.ts";
import { isoTime } from "./time.ts";

interface Signature {
  name?: string | null;
  email?: string | null;
  date?: string | null;
}
// Only the fields that are read here. A field that is missing from a response counts as null.
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
