import { invalidInput } from "./errors.ts";

type Fields = Record<string, unknown>;

/** The schema has already checked that values have the types that the operator needs. Times are compared by value. */
// biome-ignore lint/suspicious/noExplicitAny: each operator has values of its own types
const OPERATORS: Record<string, (value: any, wanted: any) => boolean> = {
  eq: (value, wanted) => value === wanted,
  in: (value, wanted) => wanted.includes(value),
  nin: (value, wanted) => !wanted.includes(value),
  lt: (value, wanted) => timeOf(value) < timeOf(wanted),
  lte: (value, wanted) => timeOf(value) <= timeOf(wanted),
  gt: (value, wanted) => timeOf(value) > timeOf(wanted),
  gte: (value, wanted) => timeOf(value) >= timeOf(wanted),
  null: (value, wanted) => (value === null) === wanted,
  containsIgnoreCase: (value, wanted) => value?.toLowerCase().includes(wanted.toLowerCase()) ?? false,
};

function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidInput("filter", "isDate", `${text} is not a time that the sandbox can parse`);
  return time;
}

/** Whether an issue, or an object that it refers to, matches a filter: https://linear.app/developers/filtering */
export function matches(item: Fields, filter: Fields): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === "and") return (wanted as Fields[]).every((part) => matches(item, part));
    if (name === "or") return (wanted as Fields[]).some((part) => matches(item, part));
    const value = item[name];
    if (value !== null && typeof value === "object") return matches(value as Fields, wanted as Fields);
    // What an issue does not have matches no filter of its fields.
    return Object.entries(wanted as Fields).every(
      ([operator, operand]) => OPERATORS[operator]?.(value, operand) ?? false,
    );
  });
}
