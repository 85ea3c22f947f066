// The part of SOQL that lists need: fields of one object, conditions joined by AND, an order, a limit and an offset.
// https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select.htm
import { hasWords, refuse } from "../../../emulator-kit/index.ts";
import { errorReply } from "./errors.ts";

type Value = string | number | boolean | null;
export type Row = Record<string, Value>;

const TEXT = String.raw`'(?:[^'\\]|\\[nrtbf"'\\])*'`;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)`;
const LITERAL = String.raw`(?:${TEXT}|${TIME}|\d+|true|false|null)`;
const OPERATOR = "(?:[<>!]=|[<>=])";
const CONDITION = String.raw`\w+\s*${OPERATOR}\s*${LITERAL}`;
const QUERY = new RegExp(
  [
    String.raw`^\s*select\s+(?<fields>\w+(?:\s*,\s*\w+)*)\s+from\s+(?<object>\w+)`,
    String.raw`(?:\s+where\s+(?<where>${CONDITION}(?:\s+and\s+${CONDITION})*))?`,
    String.raw`(?:\s+order\s+by\s+(?<order>\w+)(?:\s+(?<direction>asc|desc))?)?`,
    String.raw`(?:\s+limit\s+(?<limit>\d+))?(?:\s+offset\s+(?<offset>\d+))?\s*$`,
  ].join(""),
  "i",
);
const PARTS = new RegExp(String.raw`(\w+)\s*(${OPERATOR})\s*(${LITERAL})`, "gi");

const ESCAPED: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** A time is a literal without quotes. */
function readLiteral(literal: string): Value | Date {
  if (literal.startsWith("'"))
    return literal.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => ESCAPED[letter.toLowerCase()] ?? letter);
  return literal.includes("-") ? new Date(literal) : JSON.parse(literal.toLowerCase());
}

function compare(one: Value, other: Value | Date): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (other instanceof Date) return Date.parse(String(one)) - other.getTime();
  return one < other ? -1 : 1;
}

const OPERATORS: Record<string, (order: number) => boolean> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Texts are equal in any case. */
function holds(operator: string, one: Value, other: Value | Date): boolean {
  const isText = typeof one === "string" && typeof other === "string" && operator.includes("=");
  const order = isText && one.toLowerCase() === other.toLowerCase() ? 0 : compare(one, other);
  return OPERATORS[operator]!(order);
}

/** `FIND {"words" "of" "a text"} IN ALL FIELDS RETURNING Object(fields WHERE … ORDER BY … LIMIT …)` */
const SEARCH =
  /^find\s+\{((?:"[^"{}]*"\s*)+)\}\s+in\s+all\s+fields\s+returning\s+(\w+)\((.*?)(\s+(?:where|order|limit)\b.*)?\)$/is;

/** The rows that a search for text finds. */
export function runSosl(sosl: string, objects: Record<string, Row[]>) {
  const [found, words, object, fields, rest = ""] = SEARCH.exec(sosl) ?? [];
  if (!found) return refuse(errorReply(400, "MALFORMED_SEARCH", `unexpected token in '${sosl}'`));
  return runSoql(`select ${fields} from ${object}${rest}`, objects, (row) =>
    hasWords(words!, ...Object.values(row).map((value) => String(value ?? ""))),
  );
}

/** The rows that a query finds, each with the selected fields. Names of objects and fields are case-insensitive. */
export function runSoql(soql: string, objects: Record<string, Row[]>, isFound: (row: Row) => boolean = () => true) {
  const parts = QUERY.exec(soql)?.groups;
  if (!parts) return refuse(errorReply(400, "MALFORMED_QUERY", `unexpected token in '${soql}'`));
  const object = Object.keys(objects).find((name) => name.toLowerCase() === parts.object!.toLowerCase());
  if (!object) return refuse(errorReply(400, "INVALID_TYPE", `sObject type '${parts.object}' is not supported.`));
  const rows = objects[object]!;
  const column = (field: string): string =>
    Object.keys(rows[0]!).find((name) => name.toLowerCase() === field.trim().toLowerCase()) ??
    refuse(errorReply(400, "INVALID_FIELD", `No such column '${field}' on entity '${object}'.`));

  const fields = parts.fields!.split(",").map(column);
  const conditions = Array.from((parts.where ?? "").matchAll(PARTS), ([, field, operator, literal]) => ({
    field: column(field!),
    operator: operator!,
    value: readLiteral(literal!),
  }));
  const found = rows.filter(
    (row) =>
      !row.IsDeleted &&
      isFound(row) &&
      conditions.every(({ field, operator, value }) => holds(operator, row[field]!, value)),
  );
  const sign = parts.direction?.toLowerCase() === "desc" ? -1 : 1;
  if (parts.order) {
    const order = column(parts.order);
    found.sort((one, other) => sign * compare(one[order]!, other[order]!));
  }
  const start = Number(parts.offset ?? 0);
  const selected = found
    .slice(start, start + Number(parts.limit ?? found.length))
    .map((row) => ({ id: row.Id, fields: Object.fromEntries(fields.map((field) => [field, row[field]!])) }));
  return { object, selected };
}
