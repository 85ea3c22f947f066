import type { FastifyInstance, RouteOptions } from "fastify";
import type { TObject } from "typebox";
import { componentsByTitle, jsonContent, parametersIn, templatePath } from "../shared/openapi.ts";
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
export function describeRoutes(app: FastifyInstance, serverUrl: string): () => object {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    if (route.schema?.summary && route.method !== "HEAD") routes.push(route);
  });
  let document: object | undefined;
  return () => {
    document ??= componentsByTitle(createDocument(routes, app.prefix, serverUrl));
    return document;
  };
}

function createDocument(routes: RouteOptions[], prefix: string, serverUrl: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = templatePath(route.url.slice(prefix.length));
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describeEndpoint(route) };
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
    },
  };
}

function describeEndpoint({ schema = {} }: RouteOptions): object {
  const { operationId, summary, description, tags, params, querystring, body, response } = schema;
  const successes = Object.entries(response as Record<string, object>).map(([status, success]) => [
    status,
    { description: status === "201" ? "Created" : "OK", content: jsonContent(success) },
  ]);
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
      400: failure("The request is invalid; `errors` has the messages by field"),
      401: failure("The API key is missing or unknown"),
      ...(params ? { 404: failure("Not found in this workspace") } : {}),
      503: failure("The database is unavailable; `Retry-After` says when to retry"),
    },
  };
}

const failure = (description: string) => ({ description, content: jsonContent(Failure) });
