import { NetworkError } from "./errors.ts";
import { lineError } from "./read-error.ts";
import { toPage } from "./result.ts";
import type { Call, Transport } from "./transport.ts";
import type { ListQuery, Page } from "./types.ts";

/** The lines of a body. What follows the last line break was cut off. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      const end = text.lastIndexOf("\n");
      if (end >= 0) yield* (rest + text.slice(0, end)).split("\n");
      rest = end < 0 ? rest + text : text.slice(end + 1);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A whole list, from one response. A response that breaks off continues after its last complete page. */
export async function* streamPages<T>(
  transport: Transport,
  call: Call,
  query: ListQuery,
): AsyncGenerator<Page<T>, void, undefined> {
  const { headers } = call.options ?? {};
  const options = { ...call.options, headers: { ...headers, accept: "application/x-ndjson" } };
  let { after } = query;
  for (let attempt = 0; ; attempt++) {
    const { data: body, response } = await transport.send(
      { ...call, query: { ...query, after }, options },
      ({ body }) => body ?? new Blob([]).stream(),
    );
    try {
      let data: T[] = [];
      for await (const line of linesOf(body)) {
        const entry = JSON.parse(line);
        if (entry?.success === false) throw lineError(entry, response.requestId);
        // The only lines with this key: no record has it.
        if (!entry?.metadata) {
          data.push(entry);
          continue;
        }
        const { next } = entry.metadata;
        yield toPage({ data, next, ...("_raw" in entry ? { raw: entry._raw } : {}) }, response);
        if (next === null) return;
        [after, data, attempt] = [next, [], 0];
      }
      throw new NetworkError("The stream ended before the list did");
    } catch (error) {
      await transport.waitToRetry(error, attempt, call.options);
    }
  }
}
