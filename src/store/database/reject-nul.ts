import { invalidInput } from "../../contracts/fault.ts";

/** Refuses text with a NUL character, the only Unicode character that Postgres cannot store. */
export function rejectNul<Row extends object>(row: Row): Row {
  const problems = Object.entries(row)
    .filter(([, value]) => typeof value === "string" && value.includes("\0"))
    .map(([column]) => ({ path: [column], message: "must not contain a NUL character" }));
  if (problems.length > 0) throw invalidInput(...problems);
  return row;
}
