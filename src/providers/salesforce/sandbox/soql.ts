// The part of SOQL that lists need: fields of one object, conditions joined by AND, an order, a limit and an offset.
// https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select.htm

type Value = string | number | boolean | null;
export type Row = Record<string, Value>;

interface Condition {
  field: string;
  operator: string;
  /** A date is a literal without quotes. */
  value: Value | Date;
}

export interface Soql {
  object: string;
  fields: string[];
  conditions: Condition[];
  order: { field: string; descending: boolean } | undefined;
  limit: number;
  offset: number;
}

/** A query that Salesforce would refuse, with its error code. */
export class SoqlError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<text>'(?:[^'\\]|\\.)*')|(?<time>${TIME})|(?<number>\d+)|(?<word>[a-z]\w*)|(?<sign><=|>=|!=|[<>=,]))`,
  "iy",
);
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", '"': '"', "'": "'", "\\": "\\" };
const LITERALS: Record<string, Value> = { true: true, false: false, null: null };

const malformed = (message: string) => new SoqlError("MALFORMED_QUERY", message);

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => {
    const character = ESCAPES[letter.toLowerCase()];
    if (character === undefined)
      throw malformed(`Invalid string literal ${text}. Illegal character sequence '\\${letter}'`);
    return character;
  });
}

function tokenize(query: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < query.trimEnd().length; end = TOKEN.lastIndex) {
    const found = TOKEN.exec(query);
    if (!found) throw malformed(`unexpected token: '${query.slice(end).trim()[0]}'`);
    tokens.push(found[0].trim());
  }
  return tokens;
}

export function parseSoql(query: string): Soql {
  const tokens = tokenize(query);
  let position = 0;
  const is = (keyword: string) => tokens[position]?.toUpperCase() === keyword;
  const skip = (...keywords: string[]) => keywords.some((keyword) => is(keyword) && ++position > 0);
  const unexpected = () => malformed(`unexpected token: '${tokens[position] ?? "<EOF>"}'`);
  function take(expected: RegExp): string {
    if (!expected.test(tokens[position] ?? "")) throw unexpected();
    return tokens[position++]!;
  }
  function expect(keyword: string): void {
    if (!skip(keyword)) throw unexpected();
  }
  const name = () => take(/^[a-z]\w*$/i);
  function value(): Value | Date {
    const token = take(/^(?:'.*'|\d.*|true|false|null)$/is);
    if (token.startsWith("'")) return unquote(token);
    if (token.includes("-")) return new Date(token);
    return token.toLowerCase() in LITERALS ? LITERALS[token.toLowerCase()]! : Number(token);
  }

  expect("SELECT");
  const fields = [name()];
  while (skip(",")) fields.push(name());
  expect("FROM");
  const object = name();
  const conditions: Condition[] = [];
  if (skip("WHERE"))
    do conditions.push({ field: name(), operator: take(/^(?:<=|>=|!=|[<>=])$/), value: value() });
    while (skip("AND"));
  let order: Soql["order"];
  if (skip("ORDER")) {
    expect("BY");
    order = { field: name(), descending: false };
    order.descending = !skip("ASC") && skip("DESC");
  }
  const limit = skip("LIMIT") ? Number(take(/^\d+$/)) : Number.POSITIVE_INFINITY;
  const offset = skip("OFFSET") ? Number(take(/^\d+$/)) : 0;
  if (position < tokens.length) throw unexpected();
  return { object, fields, conditions, order, limit, offset };
}

function compare(one: Value, other: Value | Date): number {
  if (other instanceof Date) return one === null ? -1 : new Date(String(one)).getTime() - other.getTime();
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
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

/** Those of the rows that a query finds, each with the selected fields. Field names are case-insensitive. */
export function runSoql(query: Soql, all: Row[], rows = all): { row: Row; selected: Row }[] {
  const columns = new Map(Object.keys(all[0]!).map((field) => [field.toLowerCase(), field]));
  const column = (field: string) => {
    const found = columns.get(field.toLowerCase());
    if (!found) throw new SoqlError("INVALID_FIELD", `No such column '${field}' on entity '${query.object}'.`);
    return found;
  };
  const fields = query.fields.map(column);
  const conditions = query.conditions.map((condition) => ({ ...condition, field: column(condition.field) }));
  const order = query.order && { ...query.order, field: column(query.order.field) };
  const found = rows.filter((row) =>
    conditions.every(({ field, operator, value }) => OPERATORS[operator]!(compare(row[field]!, value))),
  );
  if (order) found.sort((one, other) => compare(one[order.field]!, other[order.field]!) * (order.descending ? -1 : 1));
  return found
    .slice(query.offset, query.offset + query.limit)
    .map((row) => ({ row, selected: Object.fromEntries(fields.map((field) => [field, row[field]!])) }));
}
