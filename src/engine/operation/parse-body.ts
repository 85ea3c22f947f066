import { Fault } from "../../contracts/fault.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";

/** A provider's body as JSON; null if it is empty. */
export function parseBody({ bytes, statusCode }: Pick<BufferedResponse, "bytes" | "statusCode">): unknown {
  if (bytes.length === 0) return null;
  try {
    const text = bytes.toString();
    // Some servers begin with a byte order mark, which a parser may ignore: https://www.rfc-editor.org/rfc/rfc8259#section-8.1
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    // A failure may well be plain text, and is passed to the client unchanged.
    if (statusCode >= 300) return null;
    throw new Fault("upstream_malformed", "the provider's response is not JSON");
  }
}
