import { remembered, times } from "../../../emulator-kit/index.ts";
import { branch, issue, mergeRequest, NEWEST_ISSUE, project, release, tag, user } from "./data.ts";
import { history, notes } from "./history.ts";

/** Projects of several groups, some nested. The newest project is large, one is empty, and two share a name. */
export function makeState() {
  const people = [
    user(1, "sandbox", "Sandbox", "https://gitlab.com/uploads/-/system/user/avatar/1/avatar.png"),
    user(2, "zoe.muller", "Zoë Müller"),
    user(3, "ghost", "Ghost User"),
    user(4, "project_70_bot", "CI 🤖"),
  ];
  const authorOf = (number: number) => people[number % people.length]!;
  const groups = ["acme", "acme/engines/nozzles", "umbrella", "sandbox"];
  const firstGroups = ["acme/engines", "acme", "acme", "umbrella"];
  const firstNames = ["Rocket Engine", "Empty", "Twin", "Twin"];
  const projects = times(260, (index) => {
    const group = firstGroups[index] ?? groups[index % groups.length]!;
    return project(9_000 - index, group, firstNames[index] ?? `Project ${String(index).padStart(3, "0")}`, index);
  });
  const large = projects[0]!;
  const branches = times(260, (index) => branch(large, index));
  const content = {
    issues: times(NEWEST_ISSUE, (index) => issue(large, NEWEST_ISSUE - index, authorOf(index))),
    mergeRequests: times(265, (index) => mergeRequest(large, 265 - index, authorOf(index))),
    tags: times(255, (index) => tag(large, 255 - index)),
    releases: times(280, (index) => release(large, authorOf(index), 280 - index)),
    branches,
    commits: history(large, branches[0]!.commit),
    notesOf: remembered((iid: number) => notes(iid, authorOf)),
  };
  return { me: people[0]!, people, projects, content: new Map([[large.id, content]]) };
}
export type State = ReturnType<typeof makeState>;
export type Content = ReturnType<State["content"]["get"]> & object;
