import { invalidInput } from "../contracts/fault.ts";

/** Refuses values that one of the databases cannot hold: text may be any Unicode but NUL. */
export function plain<Row extends object>(row: Row): Row {
  const problems = Object.entries(row)
    .filter(([, value]) => typeof value === "string" && value.includes("\0"))
    .map(([column]) => ({ path: [column], message: "must not contain a NUL character" }));
  if (problems.length > 0) throw invalidInput(...problems);
  return row;
}
