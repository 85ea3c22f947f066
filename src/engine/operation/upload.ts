import type { Readable } from "node:stream";
import { invalidInput, ProviderFailure } from "../../contracts/fault.ts";
import type { Context, UploadImplementation } from "../../contracts/provider.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import { assertStatus, type CallWithRetries } from "../http/attempts.ts";
import { createForwardedBody } from "../http/forwarded-body.ts";
import { redactBytes, redactHeaders } from "../http/redact.ts";
import type { Transport } from "../http/transport.ts";
import { interpretAnswer } from "./interpret-answer.ts";
import { parseBody } from "./parse-body.ts";
import { prepareRequest } from "./prepare-request.ts";
import type { OperationRun } from "./upstream.ts";

/** A file on its way to the provider. */
export interface Upload {
  body: Readable;
  contentType: string;
  /** In bytes; undefined if the client does not say. */
  size: number | undefined;
}

export function createUploader(
  transport: Pick<Transport, "buffer" | "countStreamedBytes">,
  callWithRetries: CallWithRetries,
  tokens: Pick<TokenKeeper, "noteStatus" | "isRefreshable" | "refreshRefusedToken" | "refusedAgain">,
) {
  /**
   * Streams a client's file to the provider, no faster than the provider reads it, and returns the provider's answer.
   * It is sent once: a stream cannot be repeated, unless it is small and only the token was refused.
   */
  return async function upload(
    run: OperationRun,
    implementation: UploadImplementation,
    context: Context,
    file: Upload,
  ): Promise<unknown> {
    const { maxSize } = implementation;
    if (maxSize !== undefined && (file.size === undefined || file.size > maxSize))
      throw invalidInput({
        path: ["headers", "Content-Length"],
        message: `must be given and at most ${maxSize} with this provider`,
      });
    const { request, contentType, before = "", after = "" } = await implementation.target(context, file);
    const sentType = contentType ?? file.contentType;
    if (run.dryRun) {
      const headers = { ...request.headers, "content-type": sentType };
      throw run.dryRun.stopAt(run.connection, { ...request, headers }, undefined, run.given);
    }
    const forwarded = createForwardedBody(file.body, transport.countStreamedBytes);
    const frame = Buffer.byteLength(before) + Buffer.byteLength(after);
    let attempt: { restartTimeout(): void } | undefined;

    async function* framed(content: AsyncIterable<Buffer> | Buffer[]): AsyncGenerator<Buffer> {
      yield Buffer.from(before);
      yield* content;
      yield Buffer.from(after);
    }

    async function send(content: AsyncIterable<Buffer> | Buffer[]) {
      run.calls++;
      const { manifest } = run.connection.provider;
      const prepared = prepareRequest(run.connection, request, undefined, run.given);
      const headers: Record<string, string | string[]> = {
        ...prepared.headers,
        "content-type": sentType,
        ...(file.size === undefined ? {} : { "content-length": String(file.size + frame) }),
      };
      return callWithRetries({
        provider: manifest.id,
        request: { ...prepared, headers, body: framed(content) },
        retries: 0,
        repeatable: false,
        client: run.client,
        trace: run.trace,
        onAttempt(begun) {
          attempt = begun;
        },
        send: transport.buffer,
        interpret(received) {
          assertStatus(received);
          const answer = { status: received.statusCode, headers: received.headers, body: parseBody(received) };
          const { status, waitSeconds } = interpretAnswer(manifest, answer);
          return { status, waitSeconds, value: { received, answer, status, waitSeconds } };
        },
      });
    }

    await run.write?.beforeSending();
    let outcome = await send(forwarded.read(() => attempt?.restartTimeout()));
    await tokens.noteStatus(run.connection, outcome.status);
    if (outcome.status === 401 && tokens.isRefreshable(run.connection)) {
      const refreshed = await tokens.refreshRefusedToken(run.connection);
      const kept = forwarded.again();
      if (refreshed && kept) {
        run.connection = refreshed;
        outcome.received.release();
        outcome = await send([kept]);
        if (outcome.status === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { received, answer, status, waitSeconds } = outcome;
    const { pathSecrets } = run.connection;
    if (status >= 300)
      throw new ProviderFailure(
        status,
        redactHeaders(answer.headers, pathSecrets),
        redactBytes(received.bytes, pathSecrets),
        waitSeconds(),
      );
    if (run.write) run.write.carriedOut = true;
    received.release();
    run.bodies?.push(answer.body);
    return answer.body;
  };
}
