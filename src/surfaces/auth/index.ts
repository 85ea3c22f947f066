import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import { createSigner } from "../../engine/index.ts";
import { declareAccess } from "../shared/access.ts";
import { parseJsonBodies } from "../shared/json-body.ts";
import { serveDocument } from "../shared/openapi-document.ts";
import { assetsAt } from "./assets.ts";
import { authorizeRoutes } from "./authorize.ts";
import { theme } from "./brand.ts";
import { createBrowserCookie } from "./browser-cookie.ts";
import { callbackRoute } from "./callback.ts";
import { createErrorSender } from "./errors.ts";
import { connectionRoute } from "./exchange-code.ts";
import { createFinish } from "./finish.ts";
import { hookRoutes } from "./hooks.ts";
import { oauthRoutes } from "./oauth/index.ts";
import { authDocument } from "./openapi.ts";
import type { AuthOptions, AuthParts } from "./parts.ts";
import { securityHeaders } from "./security-headers.ts";
import { sessionRoutes } from "./session.ts";

const read = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The files that browsers load, with their types. */
const files = {
  "style.css": ["text/css", read("./style.css")],
  "connect.js": ["text/javascript", read("./browser/connect.js")],
  "connect.d.ts": ["text/plain", read("./browser/connect.d.ts")],
  "result.js": ["text/javascript", read("./browser/result.js")],
} as const;

export const createAuthErrorSender = (url: string) => createErrorSender(assetsAt(url));

/** The Auth API: the pages on which a user connects an account, and the exchange of the code for a connection. */
export function auth(app: FastifyInstance, options: AuthOptions): void {
  const parts: AuthParts = {
    ...options,
    signer: createSigner(options.signingKeys),
    browserCookie: createBrowserCookie(options.url),
    finish: createFinish(options),
    assets: assetsAt(options.url),
  };
  // Its pages are for users without a key: sessions and signed addresses say what they may do.
  declareAccess(app, "public");
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
  serveDocument(app, () => authDocument(options));
  for (const [name, [type, content]] of Object.entries(files))
    app.get(`/${name}`, (_, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        // Applications import the script from their own pages.
        .headers({ "cache-control": "public, max-age=300", "access-control-allow-origin": "*" })
        .send(content),
    );
  app.get("/theme.css", (request, reply) => {
    const { accent } = request.query as { accent?: unknown };
    if (typeof accent !== "string" || !/^[\da-f]{6}$/i.test(accent)) throw new Fault("not_found", "no such color");
    return reply.type("text/css; charset=utf-8").header("cache-control", "public, max-age=300").send(theme(accent));
  });
  // Authorization servers read who we are there, instead of registering us.
  app.get("/clients/mcp.json", (_, reply) =>
    reply.header("cache-control", "public, max-age=300").send(options.engine.connect.clientDocument),
  );
  authorizeRoutes(app, parts);
  sessionRoutes(app, parts);
  callbackRoute(app, parts);
  connectionRoute(app, parts);
  oauthRoutes(app, parts);
  hookRoutes(app, parts);
}
