import type { Answer } from "../../contracts/upstream.ts";
import type { StreamedResponse } from "./stream-response.ts";

/** Stands for a secret that is part of an address. */
export const REDACTED = "[redacted]";

/** A text without these secrets, of which the longest come first. */
export const redact = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);

export const redactBytes = (bytes: Buffer, secrets: readonly string[]): Buffer =>
  secrets.length === 0 ? bytes : Buffer.from(redact(bytes.toString("latin1"), secrets), "latin1");

export const redactHeaders = (headers: Answer["headers"], secrets: readonly string[]): Answer["headers"] =>
  secrets.length === 0
    ? headers
    : Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map((one) => redact(one, secrets)) : value && redact(value, secrets),
        ]),
      );

/** How many characters at the end may be the beginning of a secret. */
function heldLength(text: string, secrets: readonly string[]): number {
  for (let length = Math.min(secrets[0]!.length - 1, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (secrets.some((secret) => secret.length > length && secret.startsWith(end))) return length;
  }
  return 0;
}

/** A streamed body without these secrets. No more is held back than what may be the beginning of one. */
export function redactStream(pipeTo: StreamedResponse["pipeTo"], secrets: readonly string[]): typeof pipeTo {
  const any = new RegExp(secrets.map((secret) => RegExp.escape(secret)).join("|"), "g");
  return (writer) => {
    let held = "";
    /** What can be sent now; the rest is held. */
    function take(chunk: Buffer): Buffer {
      // One character per byte, so that chunks may end within a character.
      const text = held + chunk.toString("latin1");
      const complete = text.length - heldLength(text, secrets);
      let sent = "";
      let index = 0;
      for (const { 0: found, index: at } of text.matchAll(any)) {
        // From here on it may be a longer one.
        if (at >= complete) break;
        sent += text.slice(index, at) + REDACTED;
        index = at + found.length;
      }
      const rest = text.slice(index);
      const kept = rest.length - heldLength(rest, secrets);
      held = rest.slice(kept);
      return Buffer.from(sent + rest.slice(0, kept), "latin1");
    }
    return pipeTo({
      write(chunk) {
        const bytes = take(chunk);
        return bytes.length === 0 || writer.write(bytes);
      },
      end(last) {
        const bytes = last ? take(last) : Buffer.alloc(0);
        writer.end(Buffer.concat([bytes, Buffer.from(redact(held, secrets), "latin1")]));
      },
      fail: (error) => writer.fail(error),
    });
  };
}

/** Files have no links of the provider in them, and keep their lengths. */
const isFile = (type: string) => /^(?:image|audio|video|font)\/|octet-stream|zip|pdf/.test(type);

/** Removes secrets from a response while it is streamed. */
export function redactResponse(response: StreamedResponse, secrets: readonly string[]): StreamedResponse {
  if (secrets.length === 0) return response;
  const headers = redactHeaders(response.headers, secrets);
  if (isFile(String(headers["content-type"]))) return { ...response, headers };
  delete headers["content-length"];
  return { ...response, headers, pipeTo: redactStream(response.pipeTo, secrets) };
}
