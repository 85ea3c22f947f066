import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Store } from "../../contracts/store.ts";
import type { Engine } from "../../engine/index.ts";
import { authorizeRoutes } from "./authorize.ts";
import { type BrowserCookie, createBrowserCookie } from "./browser-cookie.ts";
import { callbackRoute } from "./callback.ts";
import { createErrorSender } from "./errors.ts";
import { connectionRoute } from "./exchange-code.ts";
import { createFinish, type FinishFlow } from "./finish.ts";
import { headers } from "./security-headers.ts";
import { createSigner, type Signer } from "./signing.ts";

export interface AuthOptions {
  store: Store;
  coordination: Coordination;
  engine: Pick<Engine, "authenticate" | "providers" | "connect">;
  /** The surface's public address. */
  url: string;
  /** Keys that what travels through browsers is signed with, the current one first. */
  signingKeys: () => readonly Buffer[];
}

/** What the routes share. */
export interface AuthParts extends AuthOptions {
  signer: Signer;
  browserCookie: BrowserCookie;
  finish: FinishFlow;
  styleUrl: string;
}

const style = readFileSync(new URL("./style.css", import.meta.url), "utf8");

/** Where pages find their style sheet, as the browser sees it. */
const styleUrl = (url: string) => `${new URL(url).pathname.replace(/\/$/, "")}/style.css`;

export const createAuthErrorSender = (url: string) => createErrorSender(styleUrl(url));

/** The Auth API: the steps in the browser that connect an account, and the exchange of their code for a connection. */
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
  app.addHook("onRequest", async (_, reply) => void reply.headers(headers));
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_: unknown, body: string) => new URLSearchParams(body),
  );
  app.get("/style.css", (_, reply) =>
    reply.type("text/css; charset=utf-8").header("cache-control", "public, max-age=300").send(style),
  );
  authorizeRoutes(app, parts);
  callbackRoute(app, parts);
  connectionRoute(app, parts);
}
