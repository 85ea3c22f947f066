import { times } from "../../../emulator-kit/data.ts";
import { branch, issue, mergeRequest, NEWEST_ISSUE, project, release, tag, user } from "./data.ts";
import { history, notes } from "./history.ts";

type Note = ReturnType<typeof notes>[number];

/** Projects of several groups, some nested. The newest project is large, one is empty, and two share a name. */
export function makeState() {
  const authors = [
    user(1, "sandbox", "Sandbox", "https://gitlab.com/uploads/-/system/user/avatar/1/avatar.png"),
    user(2, "zoe.muller", "Zoë Müller"),
    user(3, "ghost", "Ghost User"),
    user(4, "project_70_bot", "CI 🤖"),
  ];
  const authorOf = (number: number) => authors[number % authors.length]!;
  const groups = ["acme", "acme/engines/nozzles", "umbrella", "sandbox"];
  const projects = times(260, (index) => {
    const id = 9_000 - index;
    if (index === 0) return project(id, "acme/engines", "Rocket Engine", index, false);
    if (index === 1) return project(id, "acme", "Empty", index, true);
    if (index === 2 || index === 3) return project(id, index === 2 ? "acme" : "umbrella", "Twin", index, false);
    return project(id, groups[index % groups.length]!, `Project ${String(index).padStart(3, "0")}`, index, false);
  });
  const large = projects[0]!;
  const branches = times(260, (index) => branch(large, index));
  const made = new Map<number, Note[]>();
  /** Made when they are first needed: most issues are never opened. */
  function notesOf(found: Pick<ReturnType<typeof issue>, "id" | "iid" | "project_id">): Note[] {
    const known = made.get(found.iid) ?? notes(found, authorOf);
    made.set(found.iid, known);
    return known;
  }
  const content = {
    issues: times(NEWEST_ISSUE, (index) => issue(large, NEWEST_ISSUE - index, authorOf(index))),
    mergeRequests: times(265, (index) => mergeRequest(large, 265 - index, authorOf(index))),
    tags: times(255, (index) => tag(large, 255 - index)),
    releases: times(280, (index) => release(large, authorOf(index), 280 - index)),
    branches,
    commits: history(large, branches[0]!.commit),
    notesOf,
  };
  return { me: authors[0]!, people: authors, projects, content: new Map([[large.id, content]]) };
}
export type State = ReturnType<typeof makeState>;
export type Content = ReturnType<State["content"]["get"]> & object;
