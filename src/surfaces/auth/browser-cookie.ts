import { hash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const LIFE_SECONDS = 3600;

/**
 * Tells browsers apart by a random value in a cookie, so that a flow can only be finished in the browser that began it.
 * With https nobody else can set it: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createBrowserCookie(url: string) {
  const secure = url.startsWith("https:");
  const name = secure ? "__Host-plugboard-connect" : "plugboard-connect";
  const attributes = secure ? "Path=/; Secure" : `Path=${new URL(url).pathname}`;

  function read(request: FastifyRequest): string | undefined {
    for (const pair of (request.headers.cookie ?? "").split(";")) {
      const [given, value = ""] = pair.trim().split("=", 2);
      if (given === name && /^[\w-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  return {
    /** The browser of a request: never the cookie itself, so that it is not stored anywhere. */
    of(request: FastifyRequest): string | undefined {
      const value = read(request);
      return value && hash("sha256", value);
    },

    /** The same, made known to the browser where it was not yet. */
    mark(request: FastifyRequest, reply: FastifyReply): string {
      const value = read(request) ?? randomBytes(32).toString("base64url");
      reply.header("set-cookie", `${name}=${value}; Max-Age=${LIFE_SECONDS}; HttpOnly; SameSite=Lax; ${attributes}`);
      return hash("sha256", value);
    },
  };
}

export type BrowserCookie = ReturnType<typeof createBrowserCookie>;
