import { invalidInput } from "./sandbox-errors.ts";

type Item = Record<string, any>;
type Operator = (value: any, wanted: any) => boolean;

/** What has no text is never found by its text. */
const text =
  (compare: (value: string, wanted: string) => boolean): Operator =>
  (value, wanted) =>
    value !== null && compare(value, wanted);

const same: Operator = (value, wanted) => value === wanted;

const OPERATORS: Record<string, Operator> = {
  eq: same,
  neq: (value, wanted) => value !== wanted,
  in: (value, wanted) => wanted.includes(value),
  nin: (value, wanted) => !wanted.includes(value),
  lt: (value, wanted) => value < wanted,
  lte: (value, wanted) => value <= wanted,
  gt: (value, wanted) => value > wanted,
  gte: (value, wanted) => value >= wanted,
  null: (value, wanted) => (value === null) === wanted,
  contains: text((value, wanted) => value.includes(wanted)),
  notContains: text((value, wanted) => !value.includes(wanted)),
  startsWith: text((value, wanted) => value.startsWith(wanted)),
  endsWith: text((value, wanted) => value.endsWith(wanted)),
  eqIgnoreCase: text((value, wanted) => value.toLowerCase() === wanted.toLowerCase()),
  containsIgnoreCase: text((value, wanted) => value.toLowerCase().includes(wanted.toLowerCase())),
};

/** Times are compared as such, however they are written. */
function moment(value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalidInput("filter", "isDate", `${value} is not a time that the sandbox can read`);
  return time;
}

function compare(field: string, value: unknown, comparator: Item): boolean {
  const isTime = field.endsWith("At");
  const read = (one: any): any => (Array.isArray(one) ? one.map(read) : isTime ? moment(one) : one);
  return Object.entries(comparator).every(([name, wanted]) => OPERATORS[name]!(read(value), read(wanted)));
}

/** Whether an issue, or what hangs on it, is what a filter asks for: https://linear.app/developers/filtering */
export function matches(item: Item, filter: Item): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (wanted === null) return true;
    if (name === "and") return wanted.every((part: Item) => matches(item, part));
    if (name === "or") return wanted.some((part: Item) => matches(item, part));
    const value = item[name];
    return value !== null && typeof value === "object" ? matches(value, wanted) : compare(name, value, wanted);
  });
}
