import { makeRepositories, remembered, times } from "../../../emulator-kit/index.ts";
import { branch, commentCount, issue, labels, NEWEST, pullRequest, release, repository, tag, user } from "./data.ts";
import { comment, commit } from "./history.ts";

export function makeState() {
  const me = user(11, "sandbox", "Sandbox");
  const acme = user(12, "acme");
  const authors = [me, user(14, "zoe", "Zoë Müller"), user(-1, "Ghost"), user(-2, "gitea-actions", "Gitea Actions")];
  const repositories = makeRepositories([me, acme, user(13, "umbrella")], repository);
  const rocket = repositories[0]!;
  const authorOf = (number: number) => authors[number % authors.length]!;
  const numbers = times(NEWEST, (index) => NEWEST - index);
  const isPull = (number: number) => number % 7 < 3;
  const branches = times(260, (index) => branch(rocket, index));
  const content = {
    issues: numbers.map((number) => issue(rocket, number, authorOf(number), isPull(number))),
    pulls: numbers.filter(isPull).map((number) => pullRequest(rocket, number, authorOf(number))),
    tags: times(255, (index) => tag(rocket, 255 - index)),
    releases: times(280, (index) => release(rocket, authorOf(index), 280 - index)),
    branches,
    commits: times(270, (index) =>
      commit(rocket, index % 13 === 0 ? null : authorOf(index), index, branches[0]!.commit.id),
    ),
    labels: labels(rocket),
    commentsOf: remembered((number: number) =>
      times(commentCount(number), (index) => comment(rocket, number, authorOf(number + index), index)),
    ),
  };
  return { me, people: [...authors, acme], repositories, content: new Map([[rocket.full_name, content]]) };
}
export type State = ReturnType<typeof makeState>;
