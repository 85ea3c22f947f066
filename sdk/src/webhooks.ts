import { WebhookVerificationError } from "./errors.ts";
import type { WebhookEvent } from "./events.gen.ts";

const TOLERANCE_SECONDS = 5 * 60;

type HeaderBag = Headers | Record<string, string | string[] | undefined>;

function readHeader(headers: HeaderBag, name: string): string {
  const entries: [string, unknown][] = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const value = entries.find(([given]) => given.toLowerCase() === name)?.[1];
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function importSecret(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new TypeError("the secret has to be the one of the webhook, as in whsec_…");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/**
 * Checks that a webhook comes from Plugboard, as Standard Webhooks 1.0 specifies it, and returns its event.
 *
 * `body` has to be exactly what was received: text or bytes, not parsed JSON.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeaderBag,
  secret: string,
): Promise<WebhookEvent> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature");
  const age = Math.floor(Date.now() / 1000) - Number(/^\d+$/.test(timestamp) ? timestamp : Number.NaN);
  if (!(Math.abs(age) <= TOLERANCE_SECONDS))
    throw new WebhookVerificationError("The webhook's time differs by more than five minutes from this clock");

  const received = new Blob([body as Uint8Array<ArrayBuffer>]);
  const signed = await new Blob([`${id}.${timestamp}.`, received]).arrayBuffer();
  const key = await importSecret(secret);
  for (const signature of signatures.split(" ")) {
    const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : undefined;
    // `verify` compares in constant time.
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(await received.text());
  }
  throw new WebhookVerificationError("No signature fits: check the secret, and that the body is unchanged");
}
