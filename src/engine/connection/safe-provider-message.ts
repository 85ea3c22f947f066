import { leaks } from "./hide-secrets.ts";

/** Fields in which providers put an error message, the most specific first. */
const MESSAGE_FIELDS = [
  "error_description",
  "message",
  "description",
  "detail",
  "error_summary",
  "errorMessages",
  "errors",
  "error",
] as const;
const MAX_DEPTH = 4;
const MAX_LENGTH = 200;

function findMessage(body: unknown, depth = 0): string | undefined {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(body)) return findMessage(body[0], depth + 1);
  for (const field of MESSAGE_FIELDS) {
    const found = findMessage((body as Record<string, unknown>)[field], depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** A provider's text as one short line without secrets, which can be shown and stored. */
export function showable(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined);
  const line = text
    .slice(0, 10 * MAX_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .split(" ")
    .filter(Boolean)
    .map((word) => (known.some((secret) => leaks(word, secret)) ? "***" : word))
    .join(" ");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** The provider's own reason for a failure. Secrets are hidden, because it may quote the request. */
export function providerReason(body: unknown, secrets: readonly (string | undefined)[]): string | undefined {
  const found = findMessage(body);
  return (found && showable(found, secrets)) || undefined;
}
