import type { ValidateFunction } from "ajv";
import Type, { type TObject, type TProperties } from "typebox";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { type BoundOperation, isWrite, type OperationKind } from "../../contracts/operation.ts";
import type { Query } from "../../contracts/upstream.ts";
import { bodyAjv, MAX_KEY_LENGTH, pathParamSchemas, textAjv, toProblem, unquote } from "../shared/operation-input.ts";
import { readRetries } from "../shared/retries.ts";
import { createParameterCheck } from "../shared/unknown-parameters.ts";
import { readFields } from "./narrow.ts";

export const DEFAULT_LIMIT = 100;

const Flag = (description: string) => Type.String({ enum: ["true", "false"], default: "false", description });

/** Of lists and single records. */
export const fieldsQuery = {
  fields: Type.Optional(
    Type.String({
      description: "Only these fields of the records, separated by commas, such as `id,name,custom.tier`",
    }),
  ),
};

/** The query parameters of every list. */
export const listQuery = {
  ...fieldsQuery,
  include_raw: Type.Optional(Flag("Whether to include the provider's own response as `_raw`")),
  params: Type.Optional(
    Type.String({
      description: 'A JSON object of parameters to pass through to the provider, such as `{"sort":"updated"}`',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: "How many records to return" }),
  ),
  after: Type.Optional(Type.String({ description: "Cursor of the page: `metadata.next` from the previous page" })),
};

const rawQuery = { include_raw: listQuery.include_raw };
const dryRunQuery = {
  dry_run: Type.Optional(
    Flag("Whether to return the request that would be sent to the provider, without credentials, and send nothing"),
  ),
};

export const querySchemas = ({ kind, query }: BoundOperation): TProperties =>
  kind === "list"
    ? { ...listQuery, ...query, ...dryRunQuery }
    : { ...rawQuery, ...(kind === "one" ? fieldsQuery : {}), ...query, ...dryRunQuery };

export const IDEMPOTENCY_KEY = "Idempotency-Key";

const idempotencyHeader = {
  [IDEMPOTENCY_KEY]: Type.Optional(
    Type.String({
      format: "idempotency-key",
      description: `Any text of 1 to ${MAX_KEY_LENGTH} characters, new for each write: repeated requests with the same key write once. With the same key, another body, other parameters or another file are refused`,
    }),
  ),
};

export const headerSchemas = (prefix: string, kind: OperationKind = "list"): TProperties => ({
  ...(isWrite(kind) ? idempotencyHeader : {}),
  [`${prefix}Connection-ID`]: Type.String({ minLength: 1, description: "The connection to use" }),
  [`${prefix}Max-Retries`]: Type.Optional(
    Type.String({
      pattern: "^[0-9]*$",
      default: "3",
      description: "How often to retry a failed call to the provider; values above 5 count as 5",
    }),
  ),
  [`${prefix}Include-Raw`]: Type.Optional(Flag("Same as the query parameter `include_raw`, which takes precedence")),
});

export interface UnifiedInput {
  connectionId: string;
  maxRetries: number;
  includeRaw: boolean;
  dryRun: boolean;
  idempotencyKey: string | undefined;
  limit: number;
  after: string | undefined;
  passthrough: Query | undefined;
  pathParams: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  /** The only fields that records should have; undefined for all. */
  fields: string[] | undefined;
  /** Which query parameters have no effect. */
  warning: string | undefined;
}

function readPassthrough(text: unknown, problems: Problem[]): Query | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(String(text));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {}
  problems.push({ path: ["query", "params"], message: 'must be a JSON object, such as {"sort":"updated"}' });
  return undefined;
}

function pick(query: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (query[name] !== undefined) picked[name] = query[name];
  return picked;
}

/** The parts of a request before validation. */
export interface RawInput {
  headers: Record<string, unknown>;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body?: unknown;
}

/** What validation guarantees: it converts a number in a path to a string, and a `limit` to a number. */
interface ValidInput {
  headers: Record<string, string>;
  params: Record<string, string>;
  query: {
    include_raw?: string;
    dry_run?: string;
    limit?: number;
    after?: string;
    params?: string;
    [name: string]: unknown;
  };
  body: Record<string, unknown> | undefined;
}

type InputReader = (request: RawInput) => UnifiedInput;
const readers = new WeakMap<BoundOperation, Record<string, InputReader>>();

/**
 * The function that validates one operation's input. It reports all problems together. Unified and its MCP server share
 * it: Ajv keeps every schema that it has compiled.
 */
export function inputReader(operation: BoundOperation, prefix: string): InputReader {
  const known = readers.get(operation) ?? {};
  readers.set(operation, known);
  known[prefix] ??= createInputReader(operation, prefix);
  return known[prefix];
}

function createInputReader(operation: BoundOperation, prefix: string): InputReader {
  const schemas = headerSchemas(prefix, operation.kind);
  const names = Object.keys(schemas).map((name) => [name, name.toLowerCase()] as const);
  const [connectionHeader, retriesHeader, rawHeader] = ["Connection-ID", "Max-Retries", "Include-Raw"].map(
    (name) => prefix + name,
  ) as [string, string, string];
  const parts: Record<string, TObject> = {
    headers: Type.Object(schemas),
    params: Type.Object(pathParamSchemas(operation)),
    query: Type.Object(querySchemas(operation)),
  };
  const checkParameters = createParameterCheck(Object.keys(querySchemas(operation)));
  const ownQuery = Object.keys(operation.query);
  // Compiled at the first request, to keep startup fast.
  let validators: ValidateFunction[] | undefined;
  const compile = () => [
    textAjv.compile(Type.Object(parts)),
    ...(operation.body ? [bodyAjv.compile(Type.Object({ body: operation.body }))] : []),
  ];

  return function read(request: RawInput): UnifiedInput {
    const given: Record<string, unknown> = {};
    for (const [name, lower] of names) {
      const value = request.headers[lower];
      // An empty header counts as none, but a key that is not a text as a mistake, as an empty one is: the client believes
      // that the write is protected.
      if (name === IDEMPOTENCY_KEY && value !== undefined) given[name] = typeof value === "string" ? value : "";
      else if (value) given[name] = value;
    }
    const input = {
      headers: given,
      params: request.params,
      query: { ...request.query },
      body: request.body ?? undefined,
    };
    validators ??= compile();
    const problems: Problem[] = [];
    for (const validate of validators) if (!validate(input)) problems.push(...validate.errors!.map(toProblem));
    const passthrough = operation.kind === "list" ? readPassthrough(input.query.params, problems) : undefined;
    const { kind } = operation;
    const fields = kind === "list" || kind === "one" ? readFields(operation, input.query.fields, problems) : undefined;
    if (problems.length > 0) throw invalidInput(...problems);
    const { headers, params, query, body } = input as ValidInput;
    return {
      connectionId: headers[connectionHeader]!,
      maxRetries: readRetries(headers[retriesHeader])!,
      includeRaw: (query.include_raw ?? headers[rawHeader]) === "true",
      dryRun: query.dry_run === "true",
      idempotencyKey: headers[IDEMPOTENCY_KEY] === undefined ? undefined : unquote(headers[IDEMPOTENCY_KEY]),
      limit: query.limit ?? DEFAULT_LIMIT,
      after: query.after || undefined,
      passthrough,
      pathParams: params,
      query: pick(query, ownQuery),
      body: operation.body ? body : undefined,
      fields,
      warning: checkParameters(request.query),
    };
  };
}
