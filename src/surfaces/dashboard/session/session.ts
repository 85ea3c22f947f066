import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { type Cookie, createCookie } from "./cookie.ts";

/** How long somebody stays signed in. */
export const SESSION_TTL_MS = 12 * 60 * 60_000;

const TOKEN = /^pbs_[0-9A-Za-z]{48}$/;

/**
 * Proves that a form comes from a page that was made for this session, and for the workspace that it has now. Only a
 * holder of the session's token knows it.
 */
export const csrfToken = (token: string, workspaceId: string): string =>
  createHmac("sha256", token).update(`csrf ${workspaceId}`).digest("base64url");

export function isCsrfToken(given: string | null, token: string, workspaceId: string): boolean {
  const expected = Buffer.from(csrfToken(token, workspaceId));
  const bytes = Buffer.from(given ?? "");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

export type SessionCookie = Cookie;

/** The cookie that holds the session's token. */
export const createSessionCookie = (dashboardUrl: string): SessionCookie =>
  createCookie({ dashboardUrl, name: "session", pattern: TOKEN, maxAgeMs: SESSION_TTL_MS });

export const hashToken = (token: string): string => hash("sha256", token);
