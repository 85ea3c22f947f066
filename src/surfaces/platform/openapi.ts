import type { FastifyInstance, RouteOptions } from "fastify";
import type { TObject } from "typebox";
import {
  componentsByTitle,
  type ErrorResponse,
  errorComponents,
  errorRefs,
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
    summary?: string;
    description?: string;
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
  401: { name: "NotAuthorized", description: "The API key is missing or unknown" },
  404: { name: "NotFound", description: "Not found in this workspace" },
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
        "Integrations, connections, connect sessions, API keys, the workspace, its providers, its request log, its events, webhooks and subscriptions.",
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
  const { operationId, summary, description, tags, params, querystring, body, response } = schema;
  const successes = Object.entries(response as Record<string, object>).map(([status, success]) => [
    status,
    {
      description: status === "201" ? "Created" : "OK",
      headers: headerRefs(headersOfAll(headerPrefix)),
      content: jsonContent(success),
    },
  ]);
  const { 404: notFound, ...others } = errors;
  return {
    operationId,
    summary,
    ...(description ? { description } : {}),
    tags,
    parameters: [
      ...parametersIn("path", (params as TObject | undefined)?.properties),
      ...parametersIn("query", (querystring as TObject | undefined)?.properties),
    ],
    ...(body ? { requestBody: { required: true, content: jsonContent(body) } } : {}),
    responses: {
      ...Object.fromEntries(successes),
      ...errorRefs({ ...others, ...(params ? { 404: notFound! } : {}) }),
    },
  };
}
