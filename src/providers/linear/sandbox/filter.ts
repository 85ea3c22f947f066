import { invalidInput } from "./errors.ts";

type Fields = Record<string, unknown>;
/** The schema has already checked that both values have the types that the operator needs. */
type Operator = (value: unknown, wanted: unknown) => boolean;

/** A field that is null never matches. */
const text =
  (compare: (value: string, wanted: string) => boolean): Operator =>
  (value, wanted) =>
    value !== null && compare(value as string, wanted as string);

const numeric =
  (compare: (value: number, wanted: number) => boolean): Operator =>
  (value, wanted) =>
    compare(value as number, wanted as number);

const OPERATORS: Record<string, Operator> = {
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  in: (value, wanted) => (wanted as unknown[]).includes(value),
  nin: (value, wanted) => !(wanted as unknown[]).includes(value),
  lt: numeric((value, wanted) => value < wanted),
  lte: numeric((value, wanted) => value <= wanted),
  gt: numeric((value, wanted) => value > wanted),
  gte: numeric((value, wanted) => value >= wanted),
  null: (value, wanted) => (value === null) === wanted,
  contains: text((value, wanted) => value.includes(wanted)),
  notContains: text((value, wanted) => !value.includes(wanted)),
  startsWith: text((value, wanted) => value.startsWith(wanted)),
  endsWith: text((value, wanted) => value.endsWith(wanted)),
  eqIgnoreCase: text((value, wanted) => value.toLowerCase() === wanted.toLowerCase()),
  containsIgnoreCase: text((value, wanted) => value.toLowerCase().includes(wanted.toLowerCase())),
};

/** Times are compared by value, in whatever format they are written. */
function parseTime(value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalidInput("filter", "isDate", `${value} is not a time that the sandbox can parse`);
  return time;
}

function compare(field: string, value: unknown, comparator: Fields): boolean {
  const isTime = field.endsWith("At");
  const read = (operand: unknown): unknown => {
    if (Array.isArray(operand)) return operand.map(read);
    return isTime ? parseTime(operand as string) : operand;
  };
  return Object.entries(comparator).every(([name, wanted]) => OPERATORS[name]!(read(value), read(wanted)));
}

/** Whether an issue, or an object that it refers to, matches a filter: https://linear.app/developers/filtering */
export function matches(item: Fields, filter: Fields): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (wanted === null) return true;
    if (name === "and") return (wanted as Fields[]).every((part) => matches(item, part));
    if (name === "or") return (wanted as Fields[]).some((part) => matches(item, part));
    const value = item[name];
    return value !== null && typeof value === "object"
      ? matches(value as Fields, wanted as Fields)
      : compare(name, value, wanted as Fields);
  });
}
