// What the emulators of Google's APIs share: failures, page tokens, partial responses, and the account.
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { makeCursor, readCursor, wholeNumber } from "./collection.ts";
import { refuse, reply } from "./emulator.ts";

interface FailureKind {
  status: string;
  message: string;
  /** What older APIs call it. */
  reason: string;
}

const UNKNOWN: FailureKind = { status: "UNKNOWN", message: "Unknown error.", reason: "unknown" };
const FAILURES: Record<number, FailureKind> = {
  400: { status: "INVALID_ARGUMENT", message: "Request contains an invalid argument.", reason: "badRequest" },
  401: {
    status: "UNAUTHENTICATED",
    message:
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
    reason: "authError",
  },
  403: { status: "PERMISSION_DENIED", message: "The caller does not have permission", reason: "forbidden" },
  404: { status: "NOT_FOUND", message: "Requested entity was not found.", reason: "notFound" },
  429: {
    status: "RESOURCE_EXHAUSTED",
    message: "Quota exceeded for quota metric 'Message reads' and limit 'Message reads per minute'.",
    reason: "rateLimitExceeded",
  },
  500: { status: "INTERNAL", message: "Internal error encountered.", reason: "backendError" },
  503: { status: "UNAVAILABLE", message: "The service is currently unavailable.", reason: "backendError" },
};

/** https://google.aip.dev/193 */
export function googleFailureWithStatus(code: number, detail?: string): EmulatedReply {
  const { status, message } = FAILURES[code] ?? UNKNOWN;
  return reply(code, { error: { code, message: detail ?? message, status } });
}

interface Reason {
  reason?: string;
  message?: string;
  domain?: string;
  /** The parameter that is wrong. */
  parameter?: string;
}

/** The older form, with reasons. https://developers.google.com/workspace/drive/api/guides/handle-errors */
export function googleFailureWithReason(code: number, given: Reason = {}): EmulatedReply {
  const kind = FAILURES[code] ?? UNKNOWN;
  const { reason = kind.reason, message = code === 401 ? "Invalid Credentials" : kind.message } = given;
  const { domain = code === 429 ? "usageLimits" : "global", parameter } = given;
  const header = code === 401 ? { locationType: "header", location: "Authorization" } : {};
  const location = parameter === undefined ? header : { locationType: "parameter", location: parameter };
  return reply(code, { error: { errors: [{ domain, reason, message, ...location }], code, message } });
}

/** Headers and token errors. */
export const googleEmulator = {
  headers: () => ({
    vary: "Origin, X-Origin, Referer",
    server: "ESF",
    "cache-control": "private",
    "x-xss-protection": "0",
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
  }),
  tokenFailure: (error, error_description) =>
    reply(error === "invalid_client" ? 401 : 400, {
      error,
      error_description: error === "invalid_grant" ? "Token has been expired or revoked." : error_description,
    }),
} satisfies Pick<Emulator, "headers" | "tokenFailure">;

interface PageOptions {
  /** The parameter with the size of a page. */
  size: string;
  defaultSize: number;
  maxSize: number;
  /** Parameters that have to stay the same throughout a walk. */
  sameParameters: string[];
  /** Pages may be short or empty although more follow. */
  shortPages?: boolean;
  /** The reply about a parameter that is invalid. */
  refusal(parameter: string): EmulatedReply;
}

interface Token {
  list: unknown;
  start: number;
  /** The page is empty. */
  empty?: boolean;
}

/** The page that a page token stands for, and the token of the next one, if there is one. */
export function googlePage<Item>(
  items: readonly Item[],
  { query, path }: EmulatedRequest,
  { size, defaultSize, maxSize, sameParameters, shortPages, refusal }: PageOptions,
): { page: Item[]; nextPageToken: string | undefined } {
  const given = wholeNumber(query.get(size) || defaultSize, { fallback: defaultSize, min: 0 }, () => refusal(size));
  const list = [path, ...sameParameters.map((name) => query.get(name))];
  const token = query.get("pageToken") || makeCursor({ list, start: 0 });
  const { start, empty, ...read } = readCursor<Token>(token) ?? refuse(refusal("pageToken"));
  if (JSON.stringify(read.list) !== JSON.stringify(list)) refuse(refusal("pageToken"));
  if (empty) return { page: [], nextPageToken: makeCursor({ list, start }) };
  const whole = Math.min(given || defaultSize, maxSize);
  const end = start + (shortPages && start > 0 ? Math.ceil(whole / 2) : whole);
  const next = { list, start: end, ...(shortPages && start === 0 && { empty: true }) };
  return { page: items.slice(start, end), nextPageToken: end < items.length ? makeCursor(next) : undefined };
}

/** The parts of `id,name,files(id,name)`: each name with its own selection, if it has one. */
function selectionOf(fields: string): Map<string, string | undefined> {
  const parts = fields.matchAll(/([\w*]+)(?:\(([^()]*)\)|\/(\w+))?/g);
  return new Map([...parts].map(([, name, inner, sub]) => [name!, inner ?? sub]));
}

/** A partial response. https://developers.google.com/workspace/drive/api/guides/fields-parameter */
export function googleFields(value: unknown, fields: string | null | undefined): unknown {
  if (!fields || fields === "*" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => googleFields(item, fields));
  const selection = selectionOf(fields);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      selection.has(name) ? [[name, googleFields(part, selection.get(name))]] : [],
    ),
  );
}
