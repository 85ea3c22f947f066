// The Platform API's OpenAPI document, and what the SDKs have to know about each of its routes.
import Fastify from "fastify";
import type { Scope } from "../../src/contracts/access.ts";
import { platform } from "../../src/surfaces/platform/index.ts";
import { aboutOf, camelCase, type JsonSchema, refName } from "./schema.ts";

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

type Content = { content?: { "application/json"?: { schema: JsonSchema } } };

interface Endpoint {
  operationId: string;
  summary: string;
  description?: string;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
  /** The scopes that its key needs. */
  security?: { bearer: Scope[] }[];
}

export interface PlatformDocument {
  paths: Record<string, Record<string, Endpoint>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Answers everything with itself: routes are registered with it, and none is called. */
const unused: unknown = new Proxy(() => {}, { get: () => unused, apply: () => unused });

/** The document as a service would serve it. */
export async function platformDocument(): Promise<PlatformDocument> {
  const app = Fastify();
  const options = {
    store: unused,
    coordination: unused,
    engine: unused,
    operations: [],
    sandbox: true,
    headerPrefix: "SVC-",
    serverUrl: "/platform",
  };
  await app.register(platform, { prefix: "/platform", ...(options as unknown as Parameters<typeof platform>[1]) });
  const response = await app.inject("/platform/openapi.json");
  await app.close();
  return response.json();
}

const RECORD_VERBS = ["list", "get", "create", "update", "delete"];

/**
 * `["webhooks", "deliveries", "list"]`: the fixed segments of the path, and the verb of the operation's ID. With any
 * other verb than these, the last segment is the method: `["webhooks", "rotateSecret"]`.
 */
function platformMethod(path: string, operationId: string): string[] {
  const segments = path.split("/").slice(2);
  const fixed = segments.filter((segment) => !segment.startsWith("{")).map(camelCase);
  const verb = /^[a-z]+/.exec(operationId)![0];
  const isAction = !RECORD_VERBS.includes(verb) && fixed.length > 1 && !segments.at(-1)!.startsWith("{");
  return isAction ? fixed : [...fixed, verb];
}

const contentOf = (part: Content | undefined) => part?.content?.["application/json"]?.schema;

const queryOf = ({ parameters }: Endpoint): JsonSchema | undefined => {
  // Dry runs are for `plugboard apply`: methods would get a parameter between their body and their options.
  const inQuery = parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "dry_run");
  if (inQuery.length === 0) return undefined;
  return {
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [name, { ...schema, ...(description ? { description } : {}) }]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
};

const PAGED_BY = ["before", "after", "until"] as const;

function pagingOf({ parameters }: Endpoint): (typeof PAGED_BY)[number] | "none" {
  return PAGED_BY.find((paging) => parameters.some(({ name }) => name === paging)) ?? "none";
}

/** What a page of a log has, such as the event log: entries, and where to continue. */
function entriesOf(schema: JsonSchema | undefined, schemas: Record<string, JsonSchema>): JsonSchema | undefined {
  const { data, next } = (schema?.$ref && schemas[refName(schema)!]?.properties) || {};
  return next && data?.type === "array" ? data.items : undefined;
}

/** A route as an SDK has it. */
export interface Route {
  /** Where the SDK has it: `["webhooks", "deliveries", "list"]`. */
  place: string[];
  summary: string;
  /** The summary and the description. */
  about: string;
  operationId: string;
  method: string;
  path: string;
  /** The parameters of the path. */
  params: string[];
  query: JsonSchema | undefined;
  body: JsonSchema | undefined;
  result: JsonSchema | undefined;
  /** What a list has, and how it is paged: `log` is a list to which entries are added at its end. */
  list: { entry: JsonSchema; paging: ReturnType<typeof pagingOf> | "log" } | undefined;
}

export function routesOf({ paths, components }: PlatformDocument): Route[] {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method, endpoint })),
  );
  return endpoints.map(({ path, method, endpoint }) => {
    const result = contentOf(Object.entries(endpoint.responses).find(([status]) => status.startsWith("2"))?.[1]);
    const isArray = result?.type === "array";
    const entry = method === "get" && (isArray ? result.items : entriesOf(result, components.schemas));
    return {
      place: platformMethod(path, endpoint.operationId),
      summary: endpoint.summary,
      about: aboutOf(endpoint),
      operationId: endpoint.operationId,
      method: method.toUpperCase(),
      path,
      params: endpoint.parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name),
      query: queryOf(endpoint),
      body: contentOf(endpoint.requestBody),
      result,
      list: entry ? { entry, paging: isArray ? pagingOf(endpoint) : "log" } : undefined,
    };
  });
}

/** The named schemas, without that of errors. */
export function namedSchemas({ components }: PlatformDocument): Record<string, JsonSchema> {
  const { Failure: _, ...schemas } = components.schemas;
  return schemas;
}
