import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";
import type { Engine } from "../../engine/index.ts";
import { bearer } from "../shared/bearer.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { connectionRoutes } from "./connections.ts";
import { speakPlatformErrors } from "./errors.ts";
import { integrationRoutes } from "./integrations.ts";
import { logRoutes } from "./logs.ts";
import { describeRoutes } from "./openapi.ts";
import { providerRoutes } from "./providers.ts";
import { validateWithAjv } from "./validation.ts";
import { workspaceRoutes } from "./workspace.ts";

export interface PlatformOptions {
  store: Store;
  coordination: Coordination;
  engine: Pick<Engine, "authenticate" | "revoke" | "refuseAddress" | "providers" | "connect">;
  /** Whether an integration may lead to the emulated providers. */
  sandbox: boolean;
  /** The surface's public address. */
  url: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** On the Platform API's routes: whose key it is. */
    workspace: Workspace;
  }
}

export type PlatformApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The Platform API: integrations, connections, keys and the workspace itself. */
export async function platform(app: FastifyInstance, options: PlatformOptions): Promise<void> {
  speakPlatformErrors(app);
  validateWithAjv(app);
  readJson(app);
  const document = describeRoutes(app, options.url);
  app.get("/openapi.json", document);

  app.decorateRequest("workspace");
  await app.register(async (scope) => {
    scope.addHook("onRequest", async (request) => {
      const { authorization } = request.headers;
      request.workspace = await options.engine.authenticate(bearer(authorization) ?? basic(authorization));
      request.trace.workspaceId = request.workspace.id;
    });
    const routes = scope.withTypeProvider<TypeBoxTypeProvider>() as unknown as PlatformApp;
    for (const add of [integrationRoutes, connectionRoutes, apiKeyRoutes, workspaceRoutes, providerRoutes, logRoutes])
      add(routes, options);
  });
}

/** The API key as the user name of Basic authentication, with an empty password. */
function basic(authorization = ""): string | undefined {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  const pair = Buffer.from(encoded ?? "", "base64").toString();
  return pair.endsWith(":") ? pair.slice(0, -1) : undefined;
}

/** An empty body counts as none, since many clients send the content type with a DELETE. */
function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>("application/json", { parseAs: "string" }, (request, body, done) =>
    body === "" ? done(null, undefined) : parse(request, body, done),
  );
}
