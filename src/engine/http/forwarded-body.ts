import type { Readable } from "node:stream";
import { CancelledError } from "./cancellation.ts";

/** A body up to this size is kept while it is sent, so that it can be sent again with a new token. */
const MAX_KEPT_BODY_BYTES = 64 * 1024;

/** Streams a client's body to the provider, no faster than the provider reads it. */
export function createForwardedBody(source: Readable, countBytes: (bytes: number) => void) {
  let kept: Buffer[] | undefined = [];
  let size = 0;
  let complete = false;

  async function* read(onProgress: () => void): AsyncGenerator<Buffer> {
    try {
      // Not destroyed if the loop ends early: the response to the client goes over the same connection.
      for await (const chunk of source.iterator({ destroyOnReturn: false })) {
        onProgress();
        countBytes(chunk.length);
        size += chunk.length;
        if (size > MAX_KEPT_BODY_BYTES) kept = undefined;
        kept?.push(chunk);
        yield chunk;
      }
      complete = true;
    } catch {
      // The client disconnected, which is no failure of the provider.
      throw new CancelledError();
    } finally {
      // The rest that the provider did not read is drained, so that the client goes on to the response.
      source.resume();
    }
  }

  return {
    read,
    /** The whole body, if it was read to its end and is small enough. */
    again: () => (complete && kept ? Buffer.concat(kept) : undefined),
  };
}
