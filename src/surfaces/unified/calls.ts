import type { FastifyReply, FastifyRequest } from "fastify";
import type { RateLimit } from "../../contracts/coordination.ts";
import {
  type Cancellation,
  type ConnectionContext,
  type Engine,
  type OperationRequest,
  type OperationResult,
  ReplayedFailure,
} from "../../engine/index.ts";
import { whenHere } from "../../runtime/when-here.ts";
import { createRateLimitHeaders } from "../shared/rate-limit-headers.ts";
import type { SurfaceReply, SurfaceRequest } from "../shared/surface-types.ts";
import { traceConnection } from "../shared/trace.ts";
import type { UnifiedInput } from "./input.ts";

export const JSON_TYPE = "application/json; charset=utf-8";
const REPLAYED = "idempotency-replayed";

/** A request whose key and input are valid. */
export interface UnifiedCall<Request = FastifyRequest, Reply = FastifyReply>
  extends Pick<OperationRequest, "operation" | "file"> {
  input: UnifiedInput;
  request: Request;
  reply: Reply;
}

/** A call that may have come without Fastify. */
export type SurfaceCall = UnifiedCall<SurfaceRequest, SurfaceReply>;

export interface CallsOptions {
  engine: Engine;
  rateLimit: RateLimit;
}

/** What calls do whatever their answer is: one JSON document, a stream of lines, or a file. */
export function createCalls({ engine, rateLimit }: CallsOptions) {
  const limit = { ...rateLimit, group: "unified" };
  const setRateLimit = createRateLimitHeaders(rateLimit);

  /** Connection, operation, token, rate limit. */
  function authorize({
    operation,
    input,
    request,
    reply,
  }: SurfaceCall): ConnectionContext | Promise<ConnectionContext> {
    const authorized = engine.authorize({
      user: request.caller,
      connectionId: input.connectionId,
      requires: operation,
      limit,
      onCounted: (counted) => setRateLimit(reply, counted),
    });
    return whenHere(authorized, (connection) => {
      traceConnection(request.trace, connection);
      return connection;
    });
  }

  return {
    authorize,

    /** Authorizes the call and runs its operation. A repeated write is marked as such. */
    async runOperation(call: SurfaceCall, client?: Cancellation): Promise<OperationResult> {
      const { operation, input, file, reply } = call;
      const { trace } = call.request;
      const authorized = authorize(call);
      const connection = authorized instanceof Promise ? await authorized : authorized;
      const running = engine.run({ ...input, operation, connection, file, client, trace });
      trace.work = running;
      try {
        const result = await running;
        if (result.replayed) reply.header(REPLAYED, "true");
        return result;
      } catch (error) {
        if (error instanceof ReplayedFailure) reply.header(REPLAYED, "true");
        throw error;
      }
    },

    /** Sends what the records of a list can have as custom fields. */
    async serveOfferedFields(call: UnifiedCall) {
      const { operation, input, request } = call;
      const connection = await authorize(call);
      const { fields, missing } = await engine.offeredFields({ operation, connection, ...input, trace: request.trace });
      return { response: { data: fields, metadata: { missing } } };
    },

    /** Sends what would be sent to the provider. Neither the rate limit nor the token matters. */
    async serveDryRun({ operation, input, file, request, reply }: UnifiedCall) {
      const { caller: user } = request;
      const connection = await engine.inspect({ user, connectionId: input.connectionId, requires: operation });
      const data = await engine.dryRun({ operation, connection, ...input, ...(file && { file }) });
      return reply.type(JSON_TYPE).serializer(JSON.stringify).send({ response: { data } });
    },
  };
}

export type Calls = ReturnType<typeof createCalls>;
