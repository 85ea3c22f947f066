import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import type { TSchema } from "typebox";
import { clientCancellation } from "../shared/relay.ts";
import type { Calls, UnifiedCall } from "./calls.ts";
import { errorLine, serializeSafely } from "./errors.ts";
import { narrow } from "./narrow.ts";
import { serializedRecord } from "./response.ts";
import { NDJSON, streamList } from "./stream-list.ts";

type Json = Record<string, unknown>;

/** With the serializer that Fastify compiles once for each schema. */
const serialize = (reply: FastifyReply, record: unknown, schema: TSchema) =>
  serializeSafely(() => reply.serializeInput(record as Json, schema as unknown as Json) as string);

/**
 * Serves a whole list as a stream of lines. Until its first page has been read, an error is an ordinary response.
 * `authenticate` runs before each further page: the key may have been deleted, or have expired.
 */
export async function serveStream(
  calls: Calls,
  call: UnifiedCall,
  authenticate: () => Promise<unknown>,
): Promise<FastifyReply> {
  const { operation, input, request, reply } = call;
  const client = clientCancellation(reply);
  const first = await calls.runOperation(call, client);
  const { raw } = reply.hijack();
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), "content-type": `${NDJSON}; charset=utf-8` });
  if (request.method !== "HEAD")
    try {
      await streamList(raw, {
        first,
        async read(after) {
          await authenticate();
          return calls.runOperation({ ...call, input: { ...input, after } }, client);
        },
        serialize: (record) =>
          input.fields
            ? JSON.stringify(narrow(record, input.fields))
            : serialize(reply, record, serializedRecord(operation)),
        includeRaw: input.includeRaw,
        client,
      });
    } catch (error) {
      if (client.cancelled) return reply;
      raw.write(errorLine(error, request));
    }
  raw.end();
  return reply;
}
