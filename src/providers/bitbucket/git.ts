import {
  type Answer,
  type Branch,
  type Commit,
  type Context,
  firstTime,
  get,
  git,
  implement,
  isoTime,
  type LinkQuery,
  linkQuery,
  list,
  orNull,
  type PageContext,
  type Place,
  type PullRequest,
  type Query,
  type Repository,
  segments,
  type Tag,
  toText,
  wordsOf,
} from "../../provider-kit/index.ts";

// Only the fields that are read here. A field that is missing from a response counts as null.
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
  is_private?: boolean;
  /** Missing or null if the repository is empty. */
  mainbranch?: { name?: string } | null;
}
interface PullRequestEnd {
  branch?: { name?: string } | null;
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
  source?: PullRequestEnd | null;
  destination?: PullRequestEnd | null;
}
export interface BitbucketCommit {
  hash: string;
  message?: string | null;
  date?: string | null;
  links: Links;
  /** `raw` is what Git has: `Name <address>`. */
  author?: { raw?: string | null; user?: { display_name?: string } | null } | null;
}
export interface BitbucketRef {
  name: string;
  target: { hash: string };
}

/** The name that Bitbucket shows for a deleted account. */
const FORMER_USER = "Former user";

const STATES: Record<string, string> = { OPEN: "open", MERGED: "merged", DECLINED: "closed", SUPERSEDED: "closed" };

export const toRepository = (repository: BitbucketRepository): Repository => ({
  id: repository.uuid,
  name: repository.name,
  full_name: repository.full_name,
  description: toText(repository.description),
  url: repository.links.html.href,
  created_at: firstTime(repository.created_on),
  updated_at: firstTime(repository.updated_on, repository.created_on),
  // The closest that Bitbucket has: a push changes it, but so does a changed setting.
  pushed_at: firstTime(repository.updated_on, repository.created_on),
  is_private: repository.is_private ?? null,
  default_branch: orNull(repository.mainbranch?.name),
});

export const toPullRequest = (pull: BitbucketPullRequest): PullRequest => ({
  // A pull request has only this number, which is unique within its repository.
  id: pull.id,
  number: pull.id,
  title: pull.title,
  description: toText(pull.summary?.raw),
  draft: pull.draft ?? false,
  state: STATES[pull.state] ?? pull.state.toLowerCase(),
  url: pull.links.html.href,
  user: pull.author?.nickname ?? pull.author?.display_name ?? FORMER_USER,
  created_at: firstTime(pull.created_on),
  updated_at: firstTime(pull.updated_on, pull.created_on),
  merged_at: pull.state === "MERGED" ? isoTime(pull.closed_on) : null,
  source_branch: orNull(pull.source?.branch?.name),
  target_branch: orNull(pull.destination?.branch?.name),
});

export const toTag = (ref: BitbucketRef): Tag => ({ name: ref.name, commit_sha: ref.target.hash });

// Branch restrictions are visible only to the repository's administrators, and not in this list:
// https://developer.atlassian.com/cloud/bitbucket/rest/api-group-branch-restrictions/
export const toBranch = (ref: BitbucketRef): Branch => ({ ...toTag(ref), protected: false });

export function toCommit({ hash, message, date, links, author }: BitbucketCommit): Commit {
  const [, name, address] = author?.raw?.match(/^\s*([^<]*?)\s*(?:<([^>]*)>.*)?$/) ?? [];
  return {
    sha: hash,
    message: toText(message),
    url: links.html.href,
    author: orNull(name, author?.user?.display_name),
    author_email: orNull(address),
    committed_at: isoTime(date),
  };
}

interface Filtered {
  updated_since?: string | undefined;
  state?: string | undefined;
  query?: string | undefined;
}

/** https://developer.atlassian.com/cloud/bitbucket/rest/intro/#filtering */
export const filterTerms = ({ updated_since, query = "" }: Filtered): string | undefined =>
  [
    ...(updated_since === undefined ? [] : [`updated_on >= ${updated_since}`]),
    ...wordsOf(query).map((word) => `(title ~ "${word}" OR description ~ "${word}")`),
  ].join(" AND ") || undefined;

interface PagedListOptions {
  maxPageSize?: number;
  query?: (input: Filtered) => Query;
  /** What a client's own params may not change. */
  locked?: (input: Filtered) => Query;
  /** Locked, because a client's own value could leave out the link to the next page. */
  fields?: string;
}

/**
 * A list below a repository. The body has the link to the next page:
 * https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination
 */
const pagedList = <Item, GitRecord>(
  name: string,
  record: (item: Item) => GitRecord,
  { maxPageSize = 100, query, locked, fields }: PagedListOptions = {},
) =>
  list({
    maxPageSize,
    items: (body: BitbucketPage<Item>) => body.values,
    next: ({ body }: Answer<BitbucketPage<Item>>) => linkQuery(body.next),
    request: ({ input, limit, cursor }: PageContext<{ repo: string } & Filtered, LinkQuery>) =>
      get(`/repositories/${segments(input.repo)}/${name}`, query?.(input), {
        ...locked?.(input),
        pagelen: limit,
        page: undefined,
        fields,
        ...cursor,
      }),
    record,
  });

const MAX_WORKSPACES = 1_000;

/** No list has the repositories of every workspace: https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-2770 */
async function workspaces({ settings, upstream }: Context<Filtered>): Promise<Place[]> {
  if (settings.workspace) return [{ id: settings.workspace }];
  const found: Place[] = [];
  let cursor: Query | null = {};
  while (cursor && found.length < MAX_WORKSPACES) {
    const request = get("/user/workspaces", {}, { pagelen: 100, ...cursor });
    const { body } = await upstream<BitbucketPage<{ workspace: { slug: string } }>>(request);
    found.push(...body.values.map(({ workspace }) => ({ id: workspace.slug })));
    cursor = linkQuery(body.next);
  }
  return found;
}

interface CommitsInput {
  repo: string;
  branch?: string | undefined;
}

/** Without a branch, Bitbucket lists the commits of all branches. An empty repository has no default branch. */
async function branchToList({ input, upstream }: Context<CommitsInput>): Promise<Place[]> {
  if (input.branch) return [{ id: input.branch }];
  const { body } = await upstream<BitbucketRepository>(get(`/repositories/${segments(input.repo)}`));
  return body.mainbranch?.name ? [{ id: body.mainbranch.name }] : [];
}

// Bitbucket has no releases, and since August 2026 no issues:
// https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-3401
export default implement(git, {
  listRepositories: list({
    maxPageSize: 100,
    filters: ["updated_since"],
    places: workspaces,
    items: (body: BitbucketPage<BitbucketRepository>) => body.values,
    next: ({ body }) => linkQuery(body.next),
    request: ({ input, place, settings, limit, cursor }) =>
      get(
        `/repositories/${segments(place.id)}`,
        // An access token is no member.
        { role: settings.workspace ? undefined : "member", q: filterTerms(input) },
        { pagelen: limit, page: undefined, ...cursor },
      ),
    record: toRepository,
  }),
  listPullRequests: {
    ...pagedList("pullrequests", toPullRequest, {
      // More than 50 is refused, although the documentation says 100.
      maxPageSize: 50,
      query: (input) => ({ state: Object.keys(STATES), q: filterTerms(input) }),
      locked: ({ state, ...input }) => ({
        ...(state && { state: Object.keys(STATES).filter((one) => STATES[one] === state) }),
        ...(input.query && { q: filterTerms(input) }),
      }),
      // `closed_on` is returned only on request: https://jira.atlassian.com/browse/BCLOUD-22709
      fields: "+values.closed_on",
    }),
    filters: ["updated_since", "state", "query"],
  },
  listTags: pagedList("refs/tags", toTag),
  listBranches: pagedList("refs/branches", toBranch),
  listCommits: list({
    maxPageSize: 100,
    places: branchToList,
    items: (body: BitbucketPage<BitbucketCommit>) => body.values,
    next: ({ body }) => linkQuery(body.next),
    // In the query, because a path cannot contain a branch's name with a slash.
    request: ({ input, place, limit, cursor }) =>
      get(
        `/repositories/${segments(input.repo)}/commits`,
        { include: place.id },
        { pagelen: limit, page: undefined, ...cursor },
      ),
    record: toCommit,
  }),
});
