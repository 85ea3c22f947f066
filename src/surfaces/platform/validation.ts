import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, MAX_PROBLEMS, type Problem } from "../../contracts/fault.ts";
import { likelyName } from "../../runtime/likely-name.ts";

interface ValidatedSchema {
  type?: string | string[];
  enum?: unknown[];
  items?: ValidatedSchema;
  properties?: Record<string, ValidatedSchema>;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
}

/** How schemas check values, so that `schemaProblems` can say what is wrong. */
export const checkOptions = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  // The schemas are ours, so there is no need to load the meta-schema.
  meta: false,
  validateSchema: false,
} as const;

/**
 * JSON values have types. The values of a query string are text and are converted. Defaults are documented by the
 * schemas but not filled in: whether a parameter was given makes a difference.
 */
export function validateWithAjv(app: FastifyInstance): void {
  const body = new Ajv(checkOptions);
  const coercing = new Ajv({ ...checkOptions, coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) => {
    // Compiled at the first request, to keep startup fast.
    let validate: ValidateFunction | undefined;
    return (value: unknown) => {
      validate ??= (httpPart === "body" ? body : coercing).compile(schema as object);
      return validate(value) || { error: validate.errors ?? [] };
    };
  });
}

/** Turns the query parameters `name[key]=value` into one object, which the schema then checks as `name`. */
export function collectFields(request: FastifyRequest, name: string): void {
  const isField = (parameter: string) => parameter.startsWith(`${name}[`) && parameter.endsWith("]");
  const { fields, others = [] } = Object.groupBy(Object.entries(request.query as object), ([parameter]) =>
    isField(parameter) ? "fields" : "others",
  );
  if (!fields) return;
  request.query = {
    ...Object.fromEntries(others),
    [name]: Object.fromEntries(fields.map(([field, value]) => [field.slice(name.length + 1, -1), value])),
  };
}

/** The problems that Fastify's schema validation found; none for other errors. */
export function schemaProblems(error: unknown): Problem[] {
  const { validation = [], validationContext = "body" } = (error ?? {}) as {
    validation?: ErrorObject[];
    validationContext?: string;
  };
  const root = validationContext === "querystring" ? "query" : validationContext;
  return validation.slice(0, MAX_PROBLEMS).map((failure) => toProblem(failure, root));
}

function toProblem(failure: ErrorObject, root: string): Problem {
  const path = failure.instancePath.split("/").slice(1).map(unescapePointer);
  const schema = failure.parentSchema as ValidatedSchema;
  if (failure.keyword === "required") {
    const name: string = failure.params.missingProperty;
    return { path: [...path, name], message: `Required: ${describeSchema(schema.properties?.[name] ?? {})}` };
  }
  if (failure.keyword === "additionalProperties") {
    const name: string = failure.params.additionalProperty;
    return { path: [...path, name], message: `Unknown field; ${knownFields(name, schema.properties)}` };
  }
  return { path: path.length > 0 ? path : [root], message: `Must be ${describeSchema(schema)}` };
}

function knownFields(given: string, properties: object = {}): string {
  const known = Object.keys(properties);
  const likely = likelyName(given, known);
  return `${likely ? `did you mean ${likely}? Known` : "known"} fields: ${known.join(", ")}`;
}

/** Decodes a part of a JSON Pointer (RFC 6901). */
const unescapePointer = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

function describeSchema(schema: ValidatedSchema): string {
  const types = [schema.type ?? []].flat();
  const [type, ...others] = types.filter((one) => one !== "null");
  const orNull = types.includes("null") ? ", or null" : "";
  if (schema.enum) return `one of ${schema.enum.join(", ")}${orNull}`;
  if (others.length > 0) return `a ${[type, ...others].join(", ").replace(/, (\w+)$/, " or $1")}${orNull}`;
  if (type === "integer") return `a whole number from ${schema.minimum} to ${schema.maximum}${orNull}`;
  if (type === "boolean") return `true or false${orNull}`;
  if (type === "string") return `${describeText(schema)}${orNull}`;
  if (type === "array")
    return `an array of ${range(schema.minItems, schema.maxItems)} items, each ${describeSchema(schema.items ?? {})}${orNull}`;
  if (type === "object")
    return `an object${schema.maxProperties === undefined ? "" : ` of ${range(schema.minProperties, schema.maxProperties)} fields`}${orNull}`;
  return `given`;
}

const range = (min = 0, max: number | undefined) => (min > 0 ? `${min} to ${max}` : `at most ${max}`);

const describeText = ({ minLength, maxLength, description }: ValidatedSchema) =>
  `a string of ${range(minLength, maxLength)} characters${description ? ` (${description})` : ""}`;

/**
 * Collects problems beyond the schema, so that the client gets all of them in one response. A body that is not an object
 * is refused immediately: it has no fields to check.
 */
export function createProblems(request: FastifyRequest) {
  const problems = schemaProblems(request.validationError);
  if (problems.some(({ path }) => path[0] === "body")) throw invalidInput(...problems);
  return {
    add: (message: string, ...path: string[]) => void problems.push({ path, message }),
    any: () => problems.length > 0,
    /** Whether a field has no problem so far, so that further checks make sense. */
    valid: (field: string) => !problems.some(({ path }) => path[0] === field),
    throwIfAny() {
      if (problems.length > 0) throw invalidInput(...problems);
    },
  };
}

export type Problems = ReturnType<typeof createProblems>;
