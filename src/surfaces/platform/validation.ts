import { Ajv, type ErrorObject } from "ajv";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidInput, type Problem } from "../../contracts/fault.ts";

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

/** Beyond this many, one more message helps nobody. */
const MAX_PROBLEMS = 50;

const common = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  // The schemas are ours: no need to load the schema of schemas.
  meta: false,
  validateSchema: false,
} as const;

/** JSON says what type a value has; a query string says everything in text. */
export function validateWithAjv(app: FastifyInstance): void {
  const body = new Ajv(common);
  const text = new Ajv({ ...common, coerceTypes: true, useDefaults: true });
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === "body" ? body : text).compile(schema as object));
}

/** The problems of a request whose validation failed, or none. */
export function problemsIn(error: unknown): Problem[] {
  const { validation = [], validationContext = "body" } = (error ?? {}) as {
    validation?: ErrorObject[];
    validationContext?: string;
  };
  const root = validationContext === "querystring" ? "query" : validationContext;
  return validation.slice(0, MAX_PROBLEMS).map((failure) => problemOf(failure, root));
}

function problemOf(failure: ErrorObject, root: string): Problem {
  const path = failure.instancePath.split("/").slice(1).map(plain);
  const schema = failure.parentSchema as Schema;
  if (failure.keyword === "required") {
    const name: string = failure.params.missingProperty;
    return { path: [...path, name], message: `Required: ${describe(schema.properties?.[name] ?? {})}` };
  }
  if (failure.keyword === "additionalProperties") {
    const known = Object.keys(schema.properties ?? {}).join(", ");
    return { path: [...path, failure.params.additionalProperty], message: `Unknown field; the fields are ${known}` };
  }
  return { path: path.length > 0 ? path : [root], message: `Must be ${describe(schema)}` };
}

const plain = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

function describe(schema: Schema): string {
  const [type, ...others] = [schema.type ?? []].flat();
  const orNull = others.includes("null") ? ", or null" : "";
  if (schema.enum) return `one of ${schema.enum.join(", ")}${orNull}`;
  if (type === "integer") return `a whole number from ${schema.minimum} to ${schema.maximum}${orNull}`;
  if (type === "string") return `${describeText(schema)}${orNull}`;
  if (type === "array") return `a list of at most ${schema.maxItems}, each ${describe(schema.items ?? {})}${orNull}`;
  if (type === "object") return `an object${orNull}`;
  return `given`;
}

function describeText({ minLength = 0, maxLength, description }: Schema): string {
  const length = minLength > 0 ? `${minLength} to ${maxLength}` : `at most ${maxLength}`;
  return `a string of ${length} characters${description ? ` (${description})` : ""}`;
}

/** Gathers what is wrong with a request beyond its schema, so that the client hears of everything at once. */
export function createProblems(request: FastifyRequest) {
  const problems = problemsIn(request.validationError);
  return {
    add: (message: string, ...path: string[]) => void problems.push({ path, message }),
    any: () => problems.length > 0,
    /** Whether a field is as its schema has it, so that it makes sense to look closer. */
    sound: (field: string) => !problems.some(({ path }) => path[0] === field || path[0] === "body"),
    raise() {
      if (problems.length > 0) throw invalidInput(...problems);
    },
  };
}

export type Problems = ReturnType<typeof createProblems>;
