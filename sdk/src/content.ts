import type { Content, Download } from "./types.ts";

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

const isStream = (content: unknown): content is Stream =>
  content instanceof ReadableStream || (typeof content === "object" && Symbol.asyncIterator in (content ?? {}));

function toReadable(content: Stream): ReadableStream<Uint8Array> {
  if (content instanceof ReadableStream) return content;
  const iterator = content[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** A request's body with what `fetch` needs for it. A stream can be sent only once. */
export function toBody(content: Content | undefined, body: unknown, headers: Headers, size: number | undefined) {
  if (body !== undefined) headers.set("content-type", "application/json");
  if (content === undefined) return { once: false, init: { body: body === undefined ? null : JSON.stringify(body) } };
  if (!isStream(content)) return { once: false, init: { body: content as string | Blob } };
  const { contentType = null, size: known = null } = content as Partial<Download>;
  const length = size ?? (typeof known === "number" ? known : undefined);
  if (length !== undefined) headers.set("content-length", String(length));
  if (typeof contentType === "string" && !headers.has("content-type")) headers.set("content-type", contentType);
  return { once: true, init: { body: toReadable(content), duplex: "half" } };
}
