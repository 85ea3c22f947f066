import type { FastifyInstance } from "fastify";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Cancellation, OperationResult } from "../../engine/index.ts";
import { clientCancellation } from "../shared/relay.ts";
import { type Calls, JSON_TYPE, type SurfaceCall, type UnifiedCall } from "./calls.ts";
import { serializeSafely } from "./errors.ts";
import { serializedResponse, toResponse } from "./response.ts";

type Serializer = (body: unknown) => string;

/** Serves calls whose answer is one JSON document. */
export function createJsonServing(app: FastifyInstance, calls: Calls, headerPrefix: string) {
  const skippedHeader = `${headerPrefix}Skipped-Items`;
  const serializers = new Map<BoundOperation, Serializer>();

  /** With Fastify's own compiler, so that a response is the same whichever way its request takes. */
  function serializerOf(operation: BoundOperation): Serializer {
    let serializer = serializers.get(operation);
    if (!serializer) {
      const { method, route: url } = operation;
      const schema = serializedResponse(operation);
      serializer = app.serializerCompiler!({ schema, method, url, httpStatus: "200" }) as Serializer;
      serializers.set(operation, serializer);
    }
    return serializer;
  }

  /** The body of a list has no place to say that items were left out. */
  function markSkipped({ reply }: SurfaceCall, { skipped }: OperationResult): void {
    if (skipped) reply.header(skippedHeader, skipped);
  }

  return {
    async serveJson(call: UnifiedCall) {
      const result = await calls.runOperation(call, clientCancellation(call.reply));
      markSkipped(call, result);
      const body = toResponse(call.operation, result, call.input);
      // The schema requires every field.
      if (call.input.fields) call.reply.type(JSON_TYPE).serializer(JSON.stringify);
      return body;
    },

    /** For what most requests are: a read that needs nothing of Fastify. */
    async servePlainRead(call: SurfaceCall, client: Cancellation): Promise<void> {
      const { operation, input, reply } = call;
      const result = await calls.runOperation(call, client);
      markSkipped(call, result);
      const serialize = input.fields ? JSON.stringify : serializerOf(operation);
      const text = serializeSafely(() => serialize(toResponse(operation, result, input)));
      result.data = undefined;
      reply.type(JSON_TYPE);
      reply.send(text);
    },
  };
}
