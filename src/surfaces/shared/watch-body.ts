import type { Forwarded } from "../../engine/index.ts";

/** Makes a response keep the beginning of its body while it is streamed. `onEnd` gets it before the client does. */
export function watchBody(response: Forwarded, maxBytes: number, onEnd: (beginning: Buffer) => void): void {
  const { pipeTo } = response;
  const kept: Buffer[] = [];
  let left = maxBytes;
  const keep = (chunk: Buffer) => {
    if (left <= 0) return;
    // A copy: the chunk may be a small part of a large buffer, or be used again.
    kept.push(Buffer.from(chunk.subarray(0, left)));
    left -= chunk.length;
  };
  response.pipeTo = (writer) =>
    pipeTo({
      write(chunk) {
        keep(chunk);
        return writer.write(chunk);
      },
      end(last) {
        if (last) keep(last);
        onEnd(Buffer.concat(kept));
        writer.end(last);
      },
      fail(error) {
        onEnd(Buffer.concat(kept));
        writer.fail(error);
      },
    });
}
