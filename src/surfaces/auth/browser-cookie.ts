import { hash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** As long as browsers keep a cookie. */
const KEPT_SECONDS = 400 * 86_400;

/**
 * Identifies a browser by a random value in a cookie, so that a flow can only be completed in the browser that started
 * it. With https, the `__Host-` prefix prevents other hosts from setting it:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createBrowserCookie(url: string) {
  const secure = url.startsWith("https:");
  const name = secure ? "__Host-plugboard-connect" : "plugboard-connect";
  const attributes = secure ? "Path=/; Secure" : `Path=${new URL(url).pathname}`;

  function readValue(request: FastifyRequest): string | undefined {
    for (const pair of (request.headers.cookie ?? "").split(";")) {
      const [cookie, value = ""] = pair.trim().split("=", 2);
      if (cookie === name && /^[\w-]{43}$/.test(value)) return value;
    }
    return undefined;
  }

  return {
    /** The hash that identifies the browser. The cookie itself is never stored. */
    read(request: FastifyRequest): string | undefined {
      const value = readValue(request);
      return value && hash("sha256", value);
    },

    /**
     * Sets the cookie, or extends it, and returns the hash that identifies the browser. It is kept for long, because
     * somebody who allows an MCP client to use their accounts connects further ones in the same browser.
     */
    set(request: FastifyRequest, reply: FastifyReply): string {
      const value = readValue(request) ?? randomBytes(32).toString("base64url");
      reply.header("set-cookie", `${name}=${value}; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax; ${attributes}`);
      return hash("sha256", value);
    },
  };
}

export type BrowserCookie = ReturnType<typeof createBrowserCookie>;
