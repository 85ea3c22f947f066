import { type Contents, makeRepositories, remembered, times } from "../../../emulator-kit/index.ts";
import { branch, commentCount, issue, NEWEST, pullRequest, release, repository, tag, user } from "./data.ts";
import { comment, commit } from "./history.ts";

export function makeState() {
  const me = user("octo-sandbox", 1_001);
  const acme = user("acme", 1_002, "Organization");
  const authors = [me, user("hubot", 1_010), user("münchen-dev", 1_011)];
  const repositories = makeRepositories([me, acme, user("umbrella", 1_003, "Organization")], repository);
  const rocket = repositories[0]!;
  // Every thirteenth author's account was deleted.
  const authorOf = (number: number) => (number % 13 === 0 ? null : authors[number % authors.length]!);
  const numbers = times(NEWEST, (index) => NEWEST - index);
  const isPull = (number: number) => number % 7 < 3;
  const branches = times(260, (index) => branch(rocket, index));
  const content = {
    issues: numbers.map((number) => issue(rocket, number, authorOf(number), isPull(number))),
    pulls: numbers.filter(isPull).map((number) => pullRequest(rocket, number, authorOf(number))),
    tags: times(255, (index) => tag(rocket, 255 - index)),
    releases: times(280, (index) => release(rocket, authors[index % authors.length]!, 280 - index)),
    branches,
    commits: times(270, (index) => commit(rocket, authorOf(index), index, branches[0]!.commit.sha)),
    commentsOf: remembered((number: number) =>
      times(commentCount(number), (index) => comment(rocket, number, authorOf(number + index), index)),
    ),
  };
  return {
    me,
    people: [...authors, acme],
    repositories,
    content: new Map([[rocket.full_name, content]]),
    /** Uploaded to releases, by their ids. */
    assets: new Map<string, object>(),
    files: new Map() as Contents,
  };
}
export type State = ReturnType<typeof makeState>;
