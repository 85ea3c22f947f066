// Commits of the default branch and notes of issues, with the same fields as in the real API.
import { awkwardTexts, times } from "../../../emulator-kit/data.ts";
import { commit, commitTime, type issue, noteCount, type Project, time, type User } from "./data.ts";

/** Commits from the newest on, which is the tip of the default branch. */
export function history(project: Project, tip: ReturnType<typeof commit>) {
  const others = times(269, (index) => commit(project, index + 1_000));
  return [tip, ...others].map((each, index) => ({
    ...each,
    parent_ids: others[index] ? [others[index].id] : [],
    // Some servers accept commits without an author's name or address, or without a message.
    author_name: index % 17 === 5 ? "" : "Zoë Müller",
    author_email: index % 17 === 6 ? "" : "zoe@example.com",
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

type Noted = Pick<ReturnType<typeof issue>, "id" | "iid" | "project_id">;

/** Every fourth note is the system's. */
export const note = ({ id, iid, project_id }: Noted, author: User, index: number) => ({
  id: 40_000_000 + iid * 1_000 + index,
  type: null,
  body: BODIES[index % BODIES.length]!,
  author,
  created_at: time(iid + index),
  updated_at: time(iid + index + 1),
  system: index % BODIES.length === 1,
  noteable_id: id,
  noteable_type: "Issue" as const,
  project_id,
  resolvable: false,
  confidential: false,
  internal: false,
  imported: false,
  imported_from: "none",
  noteable_iid: iid,
  commands_changes: {},
});

export const notes = (noted: Noted, authorOf: (index: number) => User) =>
  times(noteCount(noted.iid), (index) => note(noted, authorOf(index), index));
