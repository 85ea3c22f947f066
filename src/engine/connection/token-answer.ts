import type { TokenAnswer } from "../../contracts/authentication.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import { showable } from "./safe-provider-message.ts";

/** The provider refused the grant permanently. Any other failure may be temporary. */
export class GrantRefused extends Error {
  readonly code: string;
  constructor(code: string, description: string | undefined) {
    super(description && description !== code ? `${code}: ${description}` : code);
    this.name = "GrantRefused";
    this.code = code;
  }
}

/** Longer than the lifetime of any token; a much larger number would not be a valid date. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400;
/** Servers refuse requests with more in their headers. */
const MAX_TOKEN_LENGTH = 16_384;

/** Whether it can be sent in a header unchanged. */
const isSendable = (token: unknown): token is string =>
  typeof token === "string" && token.length <= MAX_TOKEN_LENGTH && /^[!-~]([ -~]*[!-~])?$/.test(token);

/** A token response before it is checked: a field may have any type. */
interface UncheckedToken {
  access_token?: unknown;
  refresh_token?: unknown;
  expires_in?: unknown;
  settings?: TokenAnswer["settings"];
}

/** The valid parts of a token response. Absent, empty and zero all mean "none". */
export function validToken(token: UncheckedToken | undefined): TokenAnswer | undefined {
  if (!isSendable(token?.access_token)) return undefined;
  const seconds = Number(token.expires_in);
  return {
    access_token: token.access_token,
    ...(isSendable(token.refresh_token) ? { refresh_token: token.refresh_token } : {}),
    ...(seconds > 0 ? { expires_in: Math.min(seconds, MAX_LIFETIME_SECONDS) } : {}),
    ...(token.settings ? { settings: token.settings } : {}),
  };
}

const standardAnswer = ({ access_token, refresh_token, expires_in }: UncheckedToken): UncheckedToken => ({
  access_token,
  refresh_token,
  expires_in,
});

/** The token in a response's body. A body that the provider's own code cannot read has none. */
export function readToken(
  body: unknown,
  read: (body: object) => UncheckedToken | undefined = standardAnswer,
): TokenAnswer | undefined {
  try {
    // What is not an object has no token: reading it finds none, or throws.
    return validToken(read(body as object));
  } catch {
    return undefined;
  }
}

/** An error's code, in the standard field or in one of those that providers use instead. */
export function failureCode(body: unknown, secrets: readonly (string | undefined)[]): string | undefined {
  const { error, code, ECODE, status, id } = (body ?? {}) as Record<string, unknown>;
  const nested = (error as { code?: unknown } | null | undefined)?.code;
  const found = [error, nested, code, ECODE, status, id].find((value) => typeof value === "string") ?? "";
  if (!/^[\w.-]{1,64}$/.test(found) || showable(found, secrets) !== found) return undefined;
  return found.toLowerCase();
}

/** The body of a token endpoint's response; undefined if it cannot be read. */
export function parseTokenBody({ bytes, headers }: Pick<BufferedResponse, "bytes" | "headers">): unknown {
  const body = bytes.toString();
  if (String(headers["content-type"] ?? "").includes("form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
