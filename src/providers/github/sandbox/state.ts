import { times } from "../../../emulator-kit/data.ts";
import { branch, commentCount, issue, NEWEST, pullRequest, release, repository, tag, user } from "./data.ts";
import { comment, commit } from "./history.ts";

type Comment = ReturnType<typeof comment>;

/** Repositories of a user and two organizations. One is large, one is empty, and two share a name. */
export function makeState() {
  const me = user("octo-sandbox", 1_001);
  const acme = user("acme", 1_002, "Organization");
  const other = user("umbrella", 1_003, "Organization");
  const authors = [me, user("hubot", 1_010), user("münchen-dev", 1_011)];
  const repositories = times(260, (index) => {
    if (index === 0) return repository(acme, "rocket", index, false);
    if (index === 1) return repository(acme, "empty", index, true);
    if (index === 2 || index === 3) return repository(index === 2 ? acme : other, "twin", index, false);
    return repository(
      [me, acme, other][index % 3]!,
      `project-${String(index).padStart(3, "0")}`,
      index,
      index % 40 === 0,
    );
  });
  const rocket = repositories[0]!;
  // Every thirteenth author's account was deleted.
  const authorOf = (number: number) => (number % 13 === 0 ? null : authors[number % authors.length]!);
  const numbers = times(NEWEST, (index) => NEWEST - index);
  const isPull = (number: number) => number % 7 < 3;
  const branches = times(260, (index) => branch(rocket, index));
  const comments = new Map<number, Comment[]>();
  /** Made when they are first needed: most issues are never opened. */
  function commentsOf(number: number): Comment[] {
    const made =
      comments.get(number) ??
      times(commentCount(number), (index) => comment(rocket, number, authorOf(number + index), index));
    comments.set(number, made);
    return made;
  }
  const content = {
    issues: numbers.map((number) => issue(rocket, number, authorOf(number), isPull(number))),
    pulls: numbers.filter(isPull).map((number) => pullRequest(rocket, number, authorOf(number))),
    tags: times(255, (index) => tag(rocket, 255 - index)),
    releases: times(280, (index) => release(rocket, authors[index % authors.length]!, 280 - index)),
    branches,
    commits: times(270, (index) => commit(rocket, authorOf(index), index, branches[0]!.commit.sha)),
    comments,
    commentsOf,
  };
  return { me, people: [...authors, acme], repositories, content: new Map([[rocket.full_name, content]]) };
}
export type State = ReturnType<typeof makeState>;
export type Content = ReturnType<State["content"]["get"]> & object;
