import type { FastifyInstance, RouteOptions } from "fastify";
import type { TObject } from "typebox";
import type { Access } from "../../contracts/access.ts";
import {
  componentsByTitle,
  type ErrorResponse,
  errorComponents,
  errorRefs,
  type Headers,
  headerRefs,
  headersOfAll,
  jsonContent,
  parametersIn,
  RETRY_AFTER,
  templatePath,
} from "../shared/openapi.ts";
import type { PlatformOptions } from "./options.ts";
import { Failure } from "./schemas.ts";

declare module "fastify" {
  interface FastifySchema {
    operationId?: string;
    /** What the key of a request needs. */
    access?: Access;
    /** What the audit log calls it. */
    action?: string;
    summary?: string;
    description?: string;
    errors?: readonly (409 | 413)[];
    responseHeaders?: Headers;
    tags?: string[];
  }
}

/** Collects every route with a summary that is added from now on. The returned function makes the OpenAPI document. */
export function describeRoutes(
  app: FastifyInstance,
  options: Pick<PlatformOptions, "headerPrefix" | "serverUrl">,
): () => object {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    if (route.schema?.summary && route.method !== "HEAD") routes.push(route);
  });
  return () => componentsByTitle(createDocument(routes, app.prefix, options));
}

const errors: Record<string, ErrorResponse> = {
  400: { name: "InvalidRequest", description: "The request is invalid; `errors` has the messages by field" },
  401: { name: "NotAuthorized", description: "The API key is missing, unknown or expired" },
  403: {
    name: "InsufficientScope",
    description: "The API key lacks the route's scope, or is bound to some connections; `message` says which",
  },
  404: { name: "NotFound", description: "Not found in this workspace" },
  409: { name: "Conflict", description: "It does not fit what there is; `message` says why" },
  413: {
    name: "BodyTooLarge",
    description: "The body is larger than the route takes; `message` says how much it takes",
  },
  500: { name: "InternalError", description: "Internal error; the log has the cause, by `X-Request-Id`" },
  503: {
    name: "Unavailable",
    description: "The database is unavailable; `Retry-After` says when to retry",
    headers: RETRY_AFTER,
  },
};

function createDocument(
  routes: RouteOptions[],
  prefix: string,
  { headerPrefix, serverUrl }: Pick<PlatformOptions, "headerPrefix" | "serverUrl">,
): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = templatePath(route.url.slice(prefix.length));
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describeEndpoint(route, headerPrefix) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Plugboard Platform API",
      version: "1.0.0",
      description:
        "Integrations, connections, connect sessions, API keys, tool packs, the workspace, its providers, its request log, its events, webhooks and subscriptions.",
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(routes.flatMap((route) => route.schema?.tags ?? []))].map((name) => ({ name })),
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The API key" },
        basic: { type: "http", scheme: "basic", description: "The API key as the user name, with an empty password" },
      },
      ...errorComponents(errors, { body: Failure, headerPrefix, ofAll: headersOfAll(headerPrefix) }),
    },
  };
}

function describeEndpoint({ schema = {} }: RouteOptions, headerPrefix: string): object {
  const { scope } = schema.access as Extract<Access, { scope: string }>;
  const { operationId, summary, description, tags, params, querystring, body, response } = schema;
  const successes = Object.entries(response as Record<string, object>).map(([status, success]) => [
    status,
    {
      description: status === "201" ? "Created" : "OK",
      headers: { ...headerRefs(headersOfAll(headerPrefix)), ...schema.responseHeaders },
      content: jsonContent(success),
    },
  ]);
  const { 404: notFound, 409: conflict, 413: tooLarge, ...others } = errors;
  const further = Object.entries({ 409: conflict!, 413: tooLarge! }).filter(([status]) =>
    schema.errors?.some((declared) => String(declared) === status),
  );
  return {
    operationId,
    summary,
    // The scope is a requirement of either way to send the key.
    security: [{ bearer: [scope] }, { basic: [scope] }],
    ...(description ? { description } : {}),
    tags,
    parameters: [
      ...parametersIn("path", (params as TObject | undefined)?.properties),
      ...parametersIn("query", (querystring as TObject | undefined)?.properties),
    ],
    ...(body ? { requestBody: { required: true, content: jsonContent(body) } } : {}),
    responses: {
      ...Object.fromEntries(successes),
      ...errorRefs({ ...others, ...(params ? { 404: notFound! } : {}), ...Object.fromEntries(further) }),
    },
  };
}
