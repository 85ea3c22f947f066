import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import Type, { type TObject, type TProperties } from "typebox";
import { invalidInput, type Problem } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Query } from "../../contracts/upstream.ts";
import { pathProblem } from "../../engine/index.ts";
import { readRetries } from "../shared/retries.ts";

export const DEFAULT_LIMIT = 100;

const Flag = (description: string) => Type.String({ enum: ["true", "false"], default: "false", description });

/** Query parameters that every list takes. */
export const listQuery = {
  include_raw: Type.Optional(Flag("Whether to include the provider's own response as `_raw`")),
  params: Type.Optional(
    Type.String({
      description: "A JSON object of parameters that are passed on to the provider",
      example: '{"sort":"updated"}',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: "How many records to return" }),
  ),
  after: Type.Optional(Type.String({ description: "Where to go on: `metadata.next` of the page before" })),
};

const rawQuery = { include_raw: listQuery.include_raw };

export const querySchema = (operation: BoundOperation): TProperties =>
  operation.kind === "list" ? { ...listQuery, ...operation.query } : { ...rawQuery, ...operation.query };

export const headersOf = (prefix: string): TProperties => ({
  [`${prefix}Connection-ID`]: Type.String({ minLength: 1, description: "The connection to use" }),
  [`${prefix}Max-Retries`]: Type.Optional(
    Type.String({
      pattern: "^[0-9]*$",
      default: "3",
      description: "How often a failed call to the provider is tried again, at most 5",
    }),
  ),
  [`${prefix}Include-Raw`]: Type.Optional(Flag("The same as the query parameter `include_raw`, which beats it")),
});

export const paramsOf = (operation: BoundOperation): TProperties =>
  Object.fromEntries(
    operation.parameters.map(({ name, description }) => [
      name,
      Type.String({ minLength: 1, format: "path-value", description }),
    ]),
  );

export interface UnifiedInput {
  connectionId: string;
  maxRetries: number;
  includeRaw: boolean;
  limit: number;
  after: string | undefined;
  passthrough: Query | undefined;
  pathParams: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

/** Whether a value can become part of a path without changing its meaning. */
const isPathValue = (value: string) =>
  value.isWellFormed() &&
  !value.split(/[/\\]/).includes("") &&
  pathProblem(`/${encodeURIComponent(value)}`) === undefined;

// Our own schemas need no check against the schema of schemas, which takes longer to compile than all of them.
const ajv = new Ajv({ allErrors: true, coerceTypes: true, strict: false, meta: false, validateSchema: false });
formats.default(ajv, ["date-time"]);
ajv.addFormat("path-value", isPathValue);

function messageOf(error: ErrorObject): string {
  if (error.keyword === "enum") return `must be one of: ${error.params.allowedValues.join(", ")}`;
  if (error.keyword === "required") return "is required";
  if (error.params?.format === "path-value") return "must not be empty or contain `.` or `..` path segments";
  return error.message ?? "is not valid";
}

function problemOf(error: ErrorObject): Problem {
  const path = error.instancePath
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (error.keyword === "required") path.push(error.params.missingProperty);
  return { path, message: messageOf(error) };
}

function readParams(text: unknown, problems: Problem[]): Query | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(String(text));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {}
  problems.push({ path: ["query", "params"], message: 'must be a JSON object, such as {"sort":"updated"}' });
  return undefined;
}

/** Makes the reader of one operation's input: everything checked, all that is wrong named at once. */
export function createInputReader(operation: BoundOperation, prefix: string) {
  const headerSchemas = headersOf(prefix);
  const names = Object.keys(headerSchemas).map((name) => [name, name.toLowerCase()] as const);
  const [connectionHeader, retriesHeader, rawHeader] = names.map(([name]) => name) as [string, string, string];
  const parts: Record<string, TObject> = {
    headers: Type.Object(headerSchemas),
    params: Type.Object(paramsOf(operation)),
    query: Type.Object(querySchema(operation)),
  };
  if (operation.body) parts.body = operation.body;
  const ownQuery = Object.keys(operation.query);
  // Compiled with the first request: a start compiles nothing that nobody asks for.
  let validate: ValidateFunction | undefined;

  return function read(request: { headers: any; params: any; query: any; body: any }): UnifiedInput {
    const headers: Record<string, string> = {};
    for (const [name, lower] of names) if (request.headers[lower]) headers[name] = request.headers[lower];
    const query = { ...request.query };
    const input = { headers, params: request.params, query, body: request.body ?? undefined };
    validate ??= ajv.compile(Type.Object(parts));
    const problems = validate(input) ? [] : (validate.errors ?? []).map(problemOf);
    const passthrough = operation.kind === "list" ? readParams(query.params, problems) : undefined;
    if (problems.length > 0) throw invalidInput(...problems);
    return {
      connectionId: headers[connectionHeader]!,
      maxRetries: readRetries(headers[retriesHeader])!,
      includeRaw: (query.include_raw ?? headers[rawHeader]) === "true",
      limit: query.limit ?? DEFAULT_LIMIT,
      after: query.after || undefined,
      passthrough,
      pathParams: request.params,
      query: Object.fromEntries(ownQuery.map((name) => [name, query[name]])),
      body: operation.body ? input.body : undefined,
    };
  };
}
