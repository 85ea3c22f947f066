import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { createSigner } from "../../engine/index.ts";
import { parseJsonBodies } from "../shared/json-body.ts";
import { authorizeRoutes } from "./authorize.ts";
import { createBrowserCookie } from "./browser-cookie.ts";
import { callbackRoute } from "./callback.ts";
import { createErrorSender } from "./errors.ts";
import { connectionRoute } from "./exchange-code.ts";
import { createFinish } from "./finish.ts";
import { authDocument } from "./openapi.ts";
import type { AuthOptions, AuthParts } from "./parts.ts";
import { securityHeaders } from "./security-headers.ts";

const style = readFileSync(new URL("./style.css", import.meta.url), "utf8");

/** The path of the style sheet, as the browser sees it. */
const styleUrl = (url: string) => `${new URL(url).pathname.replace(/\/$/, "")}/style.css`;

export const createAuthErrorSender = (url: string) => createErrorSender(styleUrl(url));

/** The Auth API: the pages on which a user connects an account, and the exchange of the code for a connection. */
export function auth(app: FastifyInstance, options: AuthOptions): void {
  const parts: AuthParts = {
    ...options,
    signer: createSigner(options.signingKeys),
    browserCookie: createBrowserCookie(options.url),
    finish: createFinish(options),
    styleUrl: styleUrl(options.url),
  };
  app.setErrorHandler(createAuthErrorSender(options.url));
  app.setNotFoundHandler(() => {
    throw new Fault("not_found", "no such page");
  });
  app.addHook("onRequest", async (_, reply) => void reply.headers(securityHeaders));
  parseJsonBodies(app);
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_: unknown, body: string) => new URLSearchParams(body),
  );
  app.get("/openapi.json", async () => authDocument(options.serverUrl));
  app.get("/style.css", (_, reply) =>
    reply.type("text/css; charset=utf-8").header("cache-control", "public, max-age=300").send(style),
  );
  authorizeRoutes(app, parts);
  callbackRoute(app, parts);
  connectionRoute(app, parts);
}
