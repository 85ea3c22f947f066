import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isSessionToken } from "../../../contracts/session-token.ts";

/** How long somebody stays signed in. */
export const SESSION_TTL_MS = 12 * 60 * 60_000;

const TOKEN = /^pbs_[0-9A-Za-z]{48}$/;

/** Proves that a form comes from a page that was made for this session. Only a holder of the session's token knows it. */
export const csrfToken = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url");

export function isCsrfToken(given: string | null, token: string): boolean {
  const expected = Buffer.from(csrfToken(token));
  const bytes = Buffer.from(given ?? "");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/**
 * The cookie that holds the session's token, which scripts cannot read. With https, the `__Host-` prefix prevents other
 * hosts from setting it: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createSessionCookie(dashboardUrl: string) {
  const isSecure = dashboardUrl.startsWith("https:");
  const name = isSecure ? "__Host-plugboard-session" : "plugboard-session";

  function write(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    // Whatever a client claims here, it can only make its own cookie stricter.
    const secure = isSecure || request.headers["x-forwarded-proto"] === "https" ? "; Secure" : "";
    reply.header("set-cookie", `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  }

  return {
    read(request: FastifyRequest): string | undefined {
      for (const pair of (request.headers.cookie ?? "").split(";")) {
        const [cookie, value = ""] = pair.trim().split("=", 2);
        if (cookie === name && isSessionToken(value) && TOKEN.test(value)) return value;
      }
      return undefined;
    },
    set: (request: FastifyRequest, reply: FastifyReply, token: string) =>
      write(request, reply, token, SESSION_TTL_MS / 1000),
    clear: (request: FastifyRequest, reply: FastifyReply) => write(request, reply, "", 0),
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;

export const hashToken = (token: string): string => hash("sha256", token);
