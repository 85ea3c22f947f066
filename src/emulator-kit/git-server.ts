// What the emulators of GitHub, and of servers whose API follows GitHub's, have in common.
import type { EmulatedReply, EmulatedRequest, EmulatedRoute } from "../contracts/emulator.ts";
import { times, toSecond } from "./data.ts";
import { refuse, reply } from "./emulator.ts";

interface GitContent {
  issues: { number: number; comments: number }[];
  commentsOf(number: number): object[];
}
interface GitState {
  people: { login: string }[];
  repositories: { full_name: string }[];
  /** By the full name of the repository. */
  content: Map<string, GitContent>;
}
type Repository<State extends GitState> = State["repositories"][number];
export type ContentOf<State extends GitState> = State["content"] extends Map<string, infer Content> ? Content : never;

interface GitServerOptions<State extends GitState> {
  notFound(): EmulatedReply;
  invalid(resource: string, field: string, code: string): EmulatedReply;
  /** The reply with one page of a list. */
  page(request: EmulatedRequest, items: unknown[]): EmulatedReply;
  /** An issue of the user whose token is used. */
  issue(repository: Repository<State>, number: number, state: State): object;
  /** The fields of a new issue that depend on the request. */
  issueFields(body: EmulatedRequest["body"], assignees: State["people"], repository: Repository<State>): object;
  /** A comment of that user. */
  comment(repository: Repository<State>, number: number, index: number, state: State): object;
}

export function gitServer<State extends GitState>(options: GitServerOptions<State>) {
  const { notFound, invalid, page } = options;

  const find = ({ params }: EmulatedRequest, { repositories }: State): Repository<State> =>
    repositories.find(({ full_name }) => full_name === `${params.owner}/${params.repo}`) ?? refuse(notFound());
  const contentOf = (request: EmulatedRequest, state: State) =>
    state.content.get(find(request, state).full_name) as (GitContent & ContentOf<State>) | undefined;
  const issueOf = ({ issues }: GitContent, { params }: EmulatedRequest) =>
    issues.find(({ number }) => String(number) === params.number) ?? refuse(notFound());
  const now = () => ({ created_at: toSecond(new Date()), updated_at: toSecond(new Date()) });

  const createIssue: EmulatedRoute<State> = (request, state) => {
    const content = contentOf(request, state) ?? refuse(notFound());
    const { title, assignees = [] } = request.body ?? {};
    if (typeof title !== "string") refuse(invalid("Issue", "title", "missing_field"));
    const assigned = state.people.filter(({ login }) => assignees.includes(login));
    if (assigned.length < assignees.length) refuse(invalid("Issue", "assignees", "invalid"));
    const number = 1 + Math.max(...content.issues.map((one) => one.number));
    const repository = find(request, state);
    const created = {
      ...options.issue(repository, number, state),
      ...{ number, title, state: "open", closed_at: null, comments: 0, ...now() },
      ...options.issueFields(request.body, assigned, repository),
    };
    content.issues.unshift(created);
    return reply(201, { ...created });
  };

  const createComment: EmulatedRoute<State> = (request, state) => {
    const content = contentOf(request, state) ?? refuse(notFound());
    const issue = issueOf(content, request);
    if (typeof request.body?.body !== "string") refuse(invalid("IssueComment", "body", "missing_field"));
    const all = content.commentsOf(issue.number);
    const comment = options.comment(find(request, state), issue.number, all.length, state);
    const created = { ...comment, body: request.body.body, ...now() };
    issue.comments = all.push(created);
    return reply(201, created);
  };

  return {
    find,
    createIssue,
    createComment,
    comments: (content: GitContent, request: EmulatedRequest) => content.commentsOf(issueOf(content, request).number),
    /** A list below a repository, which is empty if the repository has no content. */
    list:
      (pick: (content: ContentOf<State>, request: EmulatedRequest) => unknown[], answer = page) =>
      (request: EmulatedRequest, state: State): EmulatedReply => {
        const content = contentOf(request, state);
        return answer(request, content ? pick(content, request) : []);
      },
    /** Commits from a branch or a SHA on. The tip of each branch but the default one is a commit of its own. */
    commits(
      { commits, branches }: { commits: { sha: string }[]; branches: Branch[] },
      { query }: EmulatedRequest,
    ): object[] {
      const start = query.get("sha") || "main";
      const index = branches.findIndex(({ name }) => name === start);
      const { sha, id } = branches[index]?.commit ?? {};
      if (index > 0) return [{ ...commits[0], sha: sha ?? id }, ...commits.slice(index)];
      const at = index === 0 ? 0 : commits.findIndex((commit) => commit.sha === start);
      return at < 0 ? refuse(notFound()) : commits.slice(at);
    },
  };
}

interface Branch {
  name: string;
  commit: { sha?: string; id?: string };
}

/** Those in the requested state, `open` by default. */
export const byState = <Item extends { state: string }>(items: Item[], { query }: EmulatedRequest): Item[] => {
  const state = query.get("state") || "open";
  return items.filter((item) => state === "all" || item.state === state);
};

/** Only what was updated after `since`. */
export const bySince = <Item extends { updated_at: string }>(items: Item[], { query }: EmulatedRequest): Item[] => {
  const since = Date.parse(query.get("since") ?? "");
  return items.filter(({ updated_at }) => !(Date.parse(updated_at) <= since));
};

/** Repositories of a user and two organizations. One is large, one is empty, and two share a name. */
export const makeRepositories = <Owner, Repository>(
  [me, first, second]: [Owner, Owner, Owner],
  make: (owner: Owner, name: string, index: number) => Repository,
): Repository[] =>
  times(260, (index) => {
    const name = ["rocket", "empty", "twin", "twin"][index] ?? `project-${String(index).padStart(3, "0")}`;
    const owner = index < 3 ? first : index === 3 ? second : [me, first, second][index % 3]!;
    return make(owner, name, index);
  });

export const branchName = (index: number): string =>
  index === 0 ? "main" : index === 1 ? "größe/日本語" : `feature/branch-${index}`;

/** What the author's Git sent with a commit of the default branch, which may be nothing. */
export const commitAuthor = (index: number) => ({
  name: index % 17 === 5 ? "" : "Zoë Müller",
  email: index % 17 === 6 ? "" : "zoe@example.com",
});
