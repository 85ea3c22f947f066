import type { FastifyRequest } from "fastify";
import { Fault, ProviderFailure } from "../../../contracts/fault.ts";
import { type Cancellation, type ConnectionContext, type Engine, ReplayedFailure } from "../../../engine/index.ts";
import { toFault } from "../../shared/framework-errors.ts";
import { traceConnection, traceFailure } from "../../shared/trace.ts";
import { serializeSafely } from "../errors.ts";
import { narrowBody, toResponse } from "../response.ts";
import { UNUSABLE } from "./accounts.ts";
import { explain } from "./advice.ts";
import { cleanText } from "./clean-text.ts";
import type { Tool } from "./tools.ts";

export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
};

/** In a result that an earlier call with the same idempotency key got. */
const REPLAYED = { _meta: { "plugboard/idempotency-replayed": true } };

export const toErrorResult = (text: string): ToolResult => ({ content: [{ type: "text", text }], isError: true });

/** A result that is the same as text and as data. */
export function toResult(body: object, ...more: string[]): ToolResult {
  const texts = [serializeSafely(() => JSON.stringify(body)), ...more];
  return {
    content: texts.map((text) => ({ type: "text", text })),
    structuredContent: body as Record<string, unknown>,
  };
}

/** What a tool call takes part in. */
export interface ToolCallContext {
  request: FastifyRequest;
  /** Of the client. */
  client: Cancellation;
  /** The connection, if it may be used now. */
  authorize(): Promise<ConnectionContext>;
}

export interface ToolOutcome {
  result: ToolResult;
  /** Whether it failed because the account has to be connected again. */
  mustReconnect: boolean;
}

const needsReconnect = (failure: Fault | ProviderFailure): boolean =>
  failure instanceof Fault
    ? failure.kind === "refresh_failed" || UNUSABLE.includes(failure.kind)
    : failure.status === 401;

/** Makes a tool call on a connection. Whatever goes wrong is explained to the model. */
export function createToolRunner(allTools: () => readonly Tool[]) {
  /** `name` is what the request log calls it. */
  return async function run(
    { request, client, authorize }: ToolCallContext,
    name: string,
    work: (connection: ConnectionContext) => Promise<ToolResult>,
  ): Promise<ToolOutcome> {
    const { trace } = request;
    trace.operation = trace.operation === null ? name : `${trace.operation}, ${name}`;
    let connection: ConnectionContext | undefined;
    try {
      connection = await authorize();
      traceConnection(trace, connection);
      return { result: await work(connection), mustReconnect: false };
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : toFault(error);
      trace.errorSource = "plugboard";
      traceFailure(trace, failure);
      if (trace.outcome === "internal" && !client.cancelled)
        request.log.error({ err: error, request_id: request.id }, "tool call failed");
      const provider = connection && { provider: connection.provider.manifest.name };
      const text = cleanText(explain(error, { tools: allTools(), requestId: request.id, ...provider }));
      const result = { ...toErrorResult(text), ...(error instanceof ReplayedFailure ? REPLAYED : {}) };
      return { result, mustReconnect: needsReconnect(failure) };
    }
  };
}

export type RunTool = ReturnType<typeof createToolRunner>;

/** The work of a tool that is a unified operation. */
export const runOperation =
  (
    engine: Engine,
    { request, client }: ToolCallContext,
    { operation, read, show }: Tool,
    {
      args,
      meta,
      connectionHeader,
    }: { args: Record<string, unknown>; meta: Record<string, unknown>; connectionHeader: string },
  ) =>
  async (connection: ConnectionContext): Promise<ToolResult> => {
    const input = read(args, { ...request.headers, [connectionHeader]: connection.record.id }, meta);
    const usable = await engine.withValidToken(connection);
    const result = await engine.run({ operation, connection: usable, ...input, client, trace: request.trace });
    const skipped = result.skipped ? [`${result.skipped} more could not be read and are missing here.`] : [];
    return {
      // What is hidden is found by the values of all fields.
      ...toResult(
        narrowBody(show(toResponse(operation, result, { ...input, fields: undefined })), input.fields),
        ...skipped,
      ),
      ...(result.replayed ? REPLAYED : {}),
    };
  };
