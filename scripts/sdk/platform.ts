// The SDK's part for the Platform API, from its OpenAPI document.
import Fastify from "fastify";
import type { Scope } from "../../src/contracts/access.ts";
import { platform } from "../../src/surfaces/platform/index.ts";
import { camelCase, declareType, type JsonSchema, members, objectLiteral, pascalCase, typeOf } from "./types.ts";

const HEADER = `// Written by \`npm run gen\` from the OpenAPI document of the Platform API. Do not edit.
import type { PlatformCalls } from "./calls.ts";
import type { List } from "./list.ts";
import type { Result } from "./result.ts";
import { path } from "./transport.ts";
import type { RequestOptions } from "./types.ts";
`;

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
export function platformMethod(path: string, operationId: string): string[] {
  const segments = path.split("/").slice(2);
  const fixed = segments.filter((segment) => !segment.startsWith("{")).map(camelCase);
  const verb = /^[a-z]+/.exec(operationId)![0];
  const isAction = !RECORD_VERBS.includes(verb) && fixed.length > 1 && !segments.at(-1)!.startsWith("{");
  return isAction ? fixed : [...fixed, verb];
}

const contentOf = (part: Content | undefined) => part?.content?.["application/json"]?.schema;

const queryOf = ({ parameters }: Endpoint): JsonSchema | undefined => {
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  if (inQuery.length === 0) return undefined;
  return {
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [name, { ...schema, ...(description ? { description } : {}) }]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
};

const queryName = ({ operationId }: Endpoint) => `${pascalCase(operationId)}Query`;

function pagingOf({ parameters }: Endpoint): string {
  const names = parameters.map(({ name }) => name);
  return names.includes("after") ? "after" : names.includes("offset") ? "offset" : "none";
}

/** What a page of a log has, such as the event log: entries, and where to continue. */
function entriesOf(schema: JsonSchema | undefined, schemas: Record<string, JsonSchema>): JsonSchema | undefined {
  const { data, next } = (schema?.$ref && schemas[typeOf(schema)]?.properties) || {};
  return next && data?.type === "array" ? data.items : undefined;
}

function method(path: string, httpMethod: string, endpoint: Endpoint, schemas: Record<string, JsonSchema>): string {
  const params = endpoint.parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name }) => `${camelCase(name)}: string`);
  const template = `path\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`)}\``;
  const query = queryOf(endpoint);
  const own = query ? [`query${query.required!.length > 0 ? "" : "?"}: ${queryName(endpoint)}`] : [];
  const success = contentOf(Object.entries(endpoint.responses).find(([status]) => status.startsWith("2"))?.[1]);
  const listed = success?.type === "array" ? success.items : entriesOf(success, schemas);
  if (httpMethod === "get" && listed) {
    const parameters = [...params, ...own, "options?: RequestOptions"].join(", ");
    const kind = success?.type === "array" ? `list(${template}, "${pagingOf(endpoint)}"` : `log(${template}`;
    return `(${parameters}): List<${typeOf(listed)}> =>\n      calls.${kind}, ${query ? "query" : "{}"}, options)`;
  }
  const body = contentOf(endpoint.requestBody);
  const bodies = body ? [`body: ${typeOf(body)}`] : [];
  const parts = [...(query ? ["query"] : []), ...(body ? ["body"] : []), "options"].join(", ");
  const parameters = [...params, ...bodies, ...own, "options?: RequestOptions"].join(", ");
  const result = `Result<${success ? typeOf(success) : "void"}>`;
  return `(${parameters}): ${result} =>\n      calls.call("${httpMethod.toUpperCase()}", ${template}, { ${parts} })`;
}

export function platformMethods({ paths, components }: PlatformDocument): string {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([httpMethod, endpoint]) => ({ path, httpMethod, endpoint })),
  );
  const methods = endpoints.map(({ path, httpMethod, endpoint }) => ({
    place: platformMethod(path, endpoint.operationId),
    about: [endpoint.summary, endpoint.description].filter(Boolean).join(". "),
    code: method(path, httpMethod, endpoint, components.schemas),
  }));
  const { Failure: _, ...schemas } = components.schemas;
  const types = [
    ...Object.entries(schemas).map(([name, schema]) => declareType(name, schema)),
    ...endpoints.flatMap(({ endpoint }) => {
      const query = queryOf(endpoint);
      return query ? [`export interface ${queryName(endpoint)} {\n${members(query, "  ")}}\n`] : [];
    }),
  ];
  return `${HEADER}
${types.join("\n")}
export const platformMethods = (calls: PlatformCalls) => ({
${objectLiteral(methods)}});
`;
}
