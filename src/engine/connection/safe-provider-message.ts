/** Where providers put the words for what went wrong, the most telling first. */
const PLACES = [
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
/** So much of a secret in a row is too much to show. */
const TELLING_LENGTH = 8;

function find(body: unknown, depth = 0): string | undefined {
  if (typeof body === "string") return body;
  if (typeof body !== "object" || body === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(body)) return find(body[0], depth + 1);
  for (const place of PLACES) {
    const found = find((body as Record<string, unknown>)[place], depth + 1);
    if (found) return found;
  }
  return undefined;
}

function tells(word: string, secret: string): boolean {
  if (secret.length < TELLING_LENGTH) return secret !== "" && word.replace(/^\W+|\W+$/g, "") === secret;
  for (let start = 0; start + TELLING_LENGTH <= word.length; start++)
    if (secret.includes(word.slice(start, start + TELLING_LENGTH))) return true;
  return false;
}

/** A provider's text, fit to be shown and kept: one short line, with no part of a secret in it. */
export function showable(text: string, secrets: readonly (string | undefined)[]): string {
  const known = secrets.filter((secret) => secret !== undefined);
  const line = text
    .slice(0, 10 * MAX_LENGTH)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .split(" ")
    .filter(Boolean)
    .map((word) => (known.some((secret) => tells(word, secret)) ? "***" : word))
    .join(" ");
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** The provider's own reason for a failure. It may quote what it was sent: no secret gets through. */
export function providerReason(body: unknown, secrets: readonly (string | undefined)[]): string | undefined {
  const found = find(body);
  return (found && showable(found, secrets)) || undefined;
}
