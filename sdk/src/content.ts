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

/** By name: an object of another realm or library is no `instanceof` ours. */
const kindOf = (content: unknown) => Object.prototype.toString.call(content).slice(8, -1);

/** A response as a stream, with its type, and its size unless that is the size before decoding. */
export function toDownload({ body, headers }: Response): Download {
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  const about = { contentType: headers.get("content-type"), size: length === null ? null : Number(length) };
  return Object.assign(body ?? new Blob([]).stream(), about);
}

/** A request's body with what `fetch` needs for it. A stream can be sent only once. */
export function toBody(
  call: { body?: unknown; content?: Content | undefined },
  headers: Headers,
  size: number | undefined,
) {
  const { body } = call;
  if (body !== undefined) headers.set("content-type", "application/json");
  if (!("content" in call)) return { once: false, init: { body: body === undefined ? null : JSON.stringify(body) } };
  const kind = kindOf(call.content);
  const content = kind === "Response" ? toDownload(call.content as Response) : call.content;
  if (!isStream(content)) {
    // `fetch` would send the text of anything else, such as "[object Object]".
    if (typeof content !== "string" && !ArrayBuffer.isView(content) && !/^(ArrayBuffer|Blob|File)$/.test(kind))
      throw new TypeError(`content has to be text, bytes, a Blob, a stream, a Response or a download, not ${kind}`);
    return { once: false, init: { body: content as string | Blob } };
  }
  const { contentType = null, size: known = null } = content as Partial<Download>;
  const length = size ?? (typeof known === "number" ? known : undefined);
  if (length !== undefined) headers.set("content-length", String(length));
  if (typeof contentType === "string" && !headers.has("content-type")) headers.set("content-type", contentType);
  return { once: true, init: { body: toReadable(content), duplex: "half" } };
}
