import { type Branch, git, type PullRequest, type Repository, type Tag } from "../../categories/git.ts";
import type { Context, PageContext, Scope } from "../../contracts/provider.ts";
import type { Query } from "../../contracts/upstream.ts";
import { implement } from "../../provider-kit/implement.ts";
import { queryOf } from "../../provider-kit/paging.ts";
import { get, segments } from "../../provider-kit/request.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";

// Only what is read here; a field that may be missing in an answer counts as null.
export interface BitbucketPage<Item> {
  values: Item[];
  next?: string;
}
interface Links {
  html: { href: string };
}
export interface BitbucketRepository {
  uuid: string;
  name: string;
  full_name: string;
  description?: string | null;
  links: Links;
  created_on: string;
  updated_on: string;
}
export interface BitbucketPullRequest {
  id: number;
  title: string;
  summary?: { raw?: string } | null;
  draft?: boolean;
  state: string;
  links: Links;
  author?: { nickname?: string; display_name?: string } | null;
  created_on: string;
  updated_on: string;
  closed_on?: string | null;
}
export interface BitbucketRef {
  name: string;
  target: { hash: string };
}

/** What Bitbucket shows in place of a deleted account. */
const FORMER_USER = "Former user";

const STATES: Record<string, string> = { OPEN: "open", MERGED: "merged", DECLINED: "closed", SUPERSEDED: "closed" };

export const toRepository = (repository: BitbucketRepository): Repository => ({
  id: repository.uuid,
  name: repository.name,
  full_name: repository.full_name,
  description: repository.description ?? null,
  url: repository.links.html.href,
  created_at: firstTime(repository.created_on),
  updated_at: firstTime(repository.updated_on, repository.created_on),
  // The nearest that Bitbucket tells: a push is an update, and so is a new setting.
  pushed_at: firstTime(repository.updated_on, repository.created_on),
});

export const toPullRequest = (pull: BitbucketPullRequest): PullRequest => ({
  // It has no number but the one within its repository.
  id: pull.id,
  number: pull.id,
  title: pull.title,
  description: pull.summary?.raw ?? null,
  draft: pull.draft ?? false,
  state: STATES[pull.state] ?? pull.state.toLowerCase(),
  url: pull.links.html.href,
  user: pull.author?.nickname ?? pull.author?.display_name ?? FORMER_USER,
  created_at: firstTime(pull.created_on),
  updated_at: firstTime(pull.updated_on, pull.created_on),
  merged_at: pull.state === "MERGED" ? isoTime(pull.closed_on) : null,
});

export const toTag = (ref: BitbucketRef): Tag => ({ name: ref.name, commit_sha: ref.target.hash });

// Who may write to a branch is told to the repository's administrators only, and not in this list:
// https://developer.atlassian.com/cloud/bitbucket/rest/api-group-branch-restrictions/
export const toBranch = (ref: BitbucketRef): Branch => ({ ...toTag(ref), protected: false });

/**
 * A list of Bitbucket's, whose body names the next page. `fields` is not the client's, who could leave out that very
 * name with it: https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination
 */
const pages = (most: number, list: (page: PageContext) => string, query: Query = {}, fields?: string) => ({
  page: most,
  request: (page: PageContext) =>
    get(list(page), query, { pagelen: page.limit, page: undefined, fields, ...page.cursor }),
  items: (body: BitbucketPage<any>) => body.values,
  next: ({ body }: { body: BitbucketPage<any> }) => queryOf(body.next),
});

const ofRepository = (list: string) => (page: PageContext<{ repo: string }>) =>
  `/repositories/${segments(page.input.repo)}/${list}`;

const MOST_WORKSPACES = 1_000;

/** No list has the repositories of all workspaces: https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-2770 */
async function workspaces({ upstream }: Context): Promise<Scope[]> {
  const found: Scope[] = [];
  let cursor: Query | null = {};
  while (cursor && found.length < MOST_WORKSPACES) {
    const request = get("/user/workspaces", {}, { pagelen: 100, ...cursor });
    const { body } = await upstream<BitbucketPage<{ workspace: { slug: string } }>>(request);
    found.push(...body.values.map(({ workspace }) => ({ id: workspace.slug })));
    cursor = queryOf(body.next);
  }
  return found;
}

// Bitbucket has no releases, and since August 2026 no issues:
// https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-3401
export default implement(git, {
  listRepositories: {
    ...pages(100, ({ scope }) => `/repositories/${segments(scope.id)}`, { role: "member" }),
    scopes: workspaces,
    record: toRepository,
  },
  listPullRequests: {
    // More than 50 are refused, whatever the documentation says of 100. When a pull request was closed is told on demand
    // only: https://jira.atlassian.com/browse/BCLOUD-22709
    ...pages(50, ofRepository("pullrequests"), { state: Object.keys(STATES) }, "+values.closed_on"),
    record: toPullRequest,
  },
  listTags: { ...pages(100, ofRepository("refs/tags")), record: toTag },
  listBranches: { ...pages(100, ofRepository("refs/branches")), record: toBranch },
});
