import { Ajv, type ErrorObject } from "ajv";
import formats from "ajv-formats";
import Type, { type TProperties } from "typebox";
import type { Problem } from "../../contracts/fault.ts";
import { type BoundOperation, isContainer } from "../../contracts/operation.ts";
import { pathProblem } from "../../contracts/path-problem.ts";

export const MAX_KEY_LENGTH = 255;

/** An idempotency key with or without quotes, as RFC 8941 strings have them. */
export const unquote = (key: string) =>
  key.length > 1 && key.startsWith('"') && key.endsWith('"') ? key.slice(1, -1) : key;

export const pathParamSchemas = (operation: BoundOperation): TProperties =>
  Object.fromEntries(
    operation.parameters.map(({ name, description }) => [
      name,
      Type.String({ minLength: 1, format: "path-value", description }),
    ]),
  );

/** Whether a value can be inserted into a path without changing the path's structure. */
const isPathValue = (value: string) =>
  value.isWellFormed() &&
  !value.split(/[/\\]/).includes("") &&
  pathProblem(`/${encodeURIComponent(value)}`) === undefined;

/** The last moment of the year 9999 in UTC: later ones have no form with four digits. */
const LAST_TIME = 253_402_300_799_999;

function createAjv(coerceTypes: boolean): Ajv {
  // The meta-schema takes longer to compile than all of our schemas, which need no validation.
  const ajv = new Ajv({ allErrors: true, coerceTypes, strict: false, meta: false, validateSchema: false });
  formats.default(ajv, ["date-time", "email"]);
  const { validate } = ajv.formats["date-time"] as { validate(text: string): boolean };
  // The format also has leap seconds, which JavaScript and most providers do not.
  ajv.addFormat("date-time", (text) => validate(text) && Date.parse(text) <= LAST_TIME);
  ajv.addFormat("path-value", isPathValue);
  ajv.addFormat("idempotency-key", (key) => unquote(key).length > 0 && unquote(key).length <= MAX_KEY_LENGTH);
  return ajv;
}

/** Headers, path and query are text, and converted. JSON has types: a number in place of a string is a mistake. */
export const [textAjv, bodyAjv] = [createAjv(true), createAjv(false)];

function toMessage(error: ErrorObject): string {
  if (error.keyword === "enum") return `must be one of: ${error.params.allowedValues.join(", ")}`;
  if (error.keyword === "required") return "is required";
  if (error.keyword === "additionalProperties") return "is not a field of this body";
  if (error.keyword === "minProperties") return "must have at least one field";
  if (error.keyword === "pattern" && error.params.pattern.includes("\\p{L}")) return "must contain a letter or a digit";
  if (error.params?.format === "idempotency-key") return `must be a text of 1 to ${MAX_KEY_LENGTH} characters`;
  if (error.params?.format === "path-value") return "must not be empty or contain `.` or `..` path segments";
  return error.message ?? "is invalid";
}

export function toProblem(error: ErrorObject): Problem {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (error.keyword === "required") path.push(error.params.missingProperty);
  if (error.keyword === "additionalProperties") path.push(error.params.additionalProperty);
  return { path, message: toMessage(error) };
}

/** The parameters that say what is listed. A filter does not: a record that it leaves out later would look deleted. */
const ownSchemas = (operation: BoundOperation): TProperties => {
  const { query, filters = {} } = operation;
  const kept = Object.entries(query).filter(([name]) => !filters[name] || isContainer(filters[name]));
  return { ...pathParamSchemas(operation), ...Object.fromEntries(kept) };
};

type CheckedParameters = (parameters: Record<string, unknown>) => Problem[];
const parameterChecks = new WeakMap<BoundOperation, CheckedParameters>();

/** Compiled once for each operation: Ajv keeps every schema that it has compiled. */
function parameterCheck(operation: BoundOperation): CheckedParameters {
  const known = parameterChecks.get(operation);
  if (known) return known;
  const validate = textAjv.compile(Type.Object(ownSchemas(operation), { additionalProperties: false }));
  const check: CheckedParameters = (parameters) => (validate(parameters) ? [] : validate.errors!.map(toProblem));
  parameterChecks.set(operation, check);
  return check;
}

/** Validates parameters that are kept for later calls of a list, by the same rules as Unified. All become text. */
export function readParameters(
  operation: BoundOperation,
  given: Record<string, unknown>,
): { parameters: Record<string, string>; problems: Problem[] } {
  const schemas = ownSchemas(operation);
  const parameters = { ...given };
  const problems = parameterCheck(operation)(parameters);
  const known = Object.keys(schemas).join(", ") || "none";
  return {
    parameters: parameters as Record<string, string>,
    problems: problems.map(({ path, message }) => {
      const isUnknown = !((path[0] ?? "") in schemas);
      return { path, message: isUnknown ? `is not a parameter of this operation; known: ${known}` : message };
    }),
  };
}
