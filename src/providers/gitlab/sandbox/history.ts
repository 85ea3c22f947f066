// Commits of the default branch and notes of issues as in the real API, without optional fields that nothing reads.
import { awkwardTexts, commitAuthor, times } from "../../../emulator-kit/index.ts";
import { commit, commitTime, noteCount, type Project, time, type User } from "./data.ts";

/** Commits from the newest on, which is the tip of the default branch. Some have no message. */
export function history(project: Project, tip: ReturnType<typeof commit>) {
  const others = times(269, (index) => commit(project, index + 1_000));
  return [tip, ...others].map((each, index) => ({
    ...each,
    author_name: commitAuthor(index).name,
    author_email: commitAuthor(index).email,
    message: index % 19 === 7 ? "" : `${awkwardTexts[index % awkwardTexts.length]}\n\nCloses #${index}\n`,
    authored_date: commitTime(4_000 - 2 * index),
    committed_date: commitTime(4_001 - 2 * index),
    created_at: commitTime(4_001 - 2 * index),
  }));
}

const BODIES = [
  "Same here, @zoe.muller.\r\n\r\n> quoted\r\n\r\n```ts\r\nconst größe = 1;\r\n```",
  "added ~5 label",
  "",
  "- [x] done\n- [ ] open :tada: 日本語",
];

/** Every fourth note is the system's. */
export const note = (iid: number, author: User, index: number) => ({
  id: 40_000_000 + iid * 1_000 + index,
  body: BODIES[index % BODIES.length]!,
  author,
  created_at: time(iid + index),
  updated_at: time(iid + index + 1),
  system: index % BODIES.length === 1,
  noteable_type: "Issue" as const,
  noteable_iid: iid,
});

export const notes = (iid: number, authorOf: (index: number) => User) =>
  times(noteCount(iid), (index) => note(iid, authorOf(index), index));
