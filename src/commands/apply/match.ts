import type { Problem } from "../../contracts/fault.ts";
import type { Fields, Kind } from "./kinds.ts";
import type { Entry } from "./read-file.ts";
import { fieldsOf, type Ids } from "./steps.ts";

interface Matching {
  kind: Kind;
  entries: Entry[];
  /** What the workspace has. */
  current: Fields[];
  ids: Ids;
}

/** Which entry of the file is which one of the workspace's: by id if the entry has one, otherwise by name. */
export function matchEntries(
  { kind, entries, current, ids }: Matching,
  report: (problem: Problem) => void,
): Map<Entry, Fields> {
  if (kind.section === "workspace") return new Map(entries.map((entry) => [entry, current[0]!]));
  const matched = new Map<Entry, Fields>();
  const free = new Set(current);
  const claim = (entry: Entry, found: Fields) => {
    matched.set(entry, found);
    free.delete(found);
  };
  const { byId = [], byName = [] } = Object.groupBy(entries, ({ entry }) =>
    kind.byId && entry.id !== undefined ? "byId" : "byName",
  );
  for (const entry of byId) {
    const found = [...free].find(({ id }) => id === entry.entry.id);
    if (found) claim(entry, found);
    else
      report({
        path: [...entry.path, "id"],
        message: `The workspace has no other ${kind.title} with this id; leave it out to create one`,
      });
  }
  for (const entry of byName) {
    const name = kind.nameOf(fieldsOf(entry, ids));
    const found = [...free].filter((one) => kind.nameOf(one) === name);
    if (found.length === 1) claim(entry, found[0]!);
    if (found.length > 1)
      report({
        path: entry.path,
        message: `The workspace has ${found.length} of this name: add the id of the one that is meant (${found.map(({ id }) => id).join(", ")})`,
      });
  }
  return matched;
}
