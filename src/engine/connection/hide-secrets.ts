import { secretValues } from "../../contracts/authentication.ts";
import type { CallTrace } from "../../contracts/telemetry.ts";
import type { ConnectionContext } from "./connection-context.ts";

/** A word with this many consecutive characters of a secret is hidden. */
const LEAK_LENGTH = 8;
const HIDDEN = "***";

/** Parts of the names of fields, parameters and elements whose values are secret. */
const NAMES =
  "token|secret|passw|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|authorization|credential|signature|cookie|session|assertion";
const name = (characters: string) => `[${characters}]{0,40}?(?:${NAMES})[${characters}]{0,40}`;

/** What is hidden wherever it is, since nobody knows all secrets of a provider. The groups stay. */
const SUSPECTS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}-----)?/g,
  /\bsk_[A-Za-z0-9]+/g,
  /\beyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)?/g,
  /\b((?:bearer|basic) +)[\w.~+/=-]{16,}/gi,
  /(:\/\/)[^\s/@"']+(?=@)/g,
  new RegExp(`("${name("\\w.-")}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*(?:"|$)`, "gi"),
  new RegExp(`\\b(${name("\\w.-")}=)[^&\\s"'<>;,)]+`, "gi"),
  new RegExp(`(<${name("\\w:.-")}>)[^<]+`, "gi"),
];

export function leaks(word: string, secret: string): boolean {
  if (secret.length < LEAK_LENGTH) return secret !== "" && word.replace(/^\W+|\W+$/g, "") === secret;
  for (let start = 0; start + LEAK_LENGTH <= word.length; start++)
    if (secret.includes(word.slice(start, start + LEAK_LENGTH))) return true;
  return false;
}

/** A text that may quote a request, without these secrets and without whatever else looks like one. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const withoutKnown = text.replace(/[^\s"'`,;&?<>()[\]{}|\\]+/g, (word) =>
    secrets.some((secret) => leaks(word, secret)) ? HIDDEN : word,
  );
  return SUSPECTS.reduce(
    (rest, suspect) =>
      rest.replace(suspect, (_, kept: unknown) =>
        typeof kept !== "string" ? HIDDEN : kept + (kept.trimEnd().endsWith(":") ? `"${HIDDEN}"` : HIDDEN),
      ),
    withoutKnown,
  );
}

/** What a provider could quote of the requests that it got: the connection's credentials, also a token that is newer. */
export function secretsOf(
  { record, credentialPlaces, pathSecrets }: ConnectionContext,
  { sentHeaders = [] }: CallTrace,
): string[] {
  const sent: unknown[] = Array.isArray(sentHeaders) ? sentHeaders : Object.entries(sentHeaders).flat();
  const places = ["authorization", ...credentialPlaces.headers];
  const values = sent.flatMap((value, index) =>
    index % 2 === 1 && places.includes(String(sent[index - 1]).toLowerCase()) ? String(value) : [],
  );
  const stored = secretValues(record.credentials);
  return [...stored, ...pathSecrets, ...values.map((value) => value.split(" ").at(-1)!)];
}
