import { ProviderFailure } from "../../contracts/fault.ts";
import type { Context, DownloadImplementation } from "../../contracts/provider.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import { assertStatus, type CallWithRetries } from "../http/attempts.ts";
import type { Cancellation } from "../http/cancellation.ts";
import { redactBytes, redactHeaders } from "../http/redact.ts";
import { parseLocation } from "../http/redirect.ts";
import { readUpTo, type StreamedResponse } from "../http/stream-response.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import type { FormatGuard } from "./format-guard.ts";
import { interpretAnswer } from "./interpret-answer.ts";
import { parseBody } from "./parse-body.ts";
import { prepareRequest } from "./prepare-request.ts";
import type { OperationRun } from "./upstream.ts";

/** A file on its way from the provider. */
export interface Download {
  /** 200, 206 for a range, or 304. */
  status: number;
  headers: Record<string, string>;
  pipeTo: StreamedResponse["pipeTo"];
}

/** What a client may ask for about the bytes. */
export const DOWNLOAD_REQUEST_HEADERS = ["range", "if-range", "if-none-match", "if-modified-since"] as const;
const RESPONSE_HEADERS = [
  "content-encoding",
  "content-length",
  "content-range",
  "accept-ranges",
  "etag",
  "last-modified",
] as const;

const MAX_REDIRECTS = 3;
const MAX_FAILURE_BYTES = 64 * 1024;
const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

/** A response, with the beginning of its body if that is not the file. */
interface Received extends StreamedResponse {
  failure: Buffer | undefined;
}

/** With 202 a provider says that the file is not ready yet: there are no bytes, and a later attempt may get them. */
const statusOf = ({ statusCode }: StreamedResponse) => (statusCode === 202 ? 503 : statusCode);

/** The file name of a `Content-Disposition` header, in its plain or its encoded form. */
function fileNameOf(disposition: string | undefined): string | undefined {
  const encoded = disposition?.match(/filename\*\s*=\s*UTF-8''([^;\s]+)/i)?.[1];
  if (encoded !== undefined)
    try {
      return decodeURIComponent(encoded);
    } catch {}
  return disposition?.match(/filename\s*=\s*"([^"]*)"/i)?.[1] ?? disposition?.match(/filename\s*=\s*([^;\s]+)/i)?.[1];
}

/** Always an attachment: a provider's file must not be rendered as a page of this service. RFC 6266 */
function attachment(fileName: string | null | undefined): string {
  if (!fileName) return "attachment";
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

interface Hop {
  response: Received;
  /** The status that counts, which may differ from the one on the wire. */
  status: number;
  waitSeconds(): number | undefined;
  /** The request that follows a redirect. */
  next: TransportRequest | undefined;
}

/** Where a redirect leads. Another origin gets the request without credentials: it may be any storage server. */
function redirectTarget(request: TransportRequest, response: StreamedResponse): TransportRequest | undefined {
  const { location } = response.headers;
  if (!isRedirect(response.statusCode) || typeof location !== "string") return undefined;
  const target = parseLocation(location, request);
  if (!["http:", "https:"].includes(target.protocol)) return undefined;
  const path = target.pathname + target.search;
  if (target.origin === request.origin) return { ...request, method: "GET", path };
  const kept = DOWNLOAD_REQUEST_HEADERS.filter((name) => request.headers[name] !== undefined);
  const headers = Object.fromEntries(kept.map((name) => [name, request.headers[name]!]));
  return {
    origin: target.origin,
    path,
    method: "GET",
    headers: { "user-agent": "plugboard", ...headers },
    pathSecrets: request.pathSecrets,
  };
}

export function createDownloader(
  transport: Pick<Transport, "stream">,
  callWithRetries: CallWithRetries,
  tokens: Pick<TokenKeeper, "noteStatus" | "isRefreshable" | "refreshRefusedToken" | "refusedAgain">,
  guardFormat: FormatGuard,
) {
  /** A failure's body is read within the attempt: it may say more than the status, and it may stall. */
  async function receive(request: TransportRequest, cancellation: Cancellation): Promise<Received> {
    const response = await transport.stream(request, cancellation);
    const status = statusOf(response);
    const failure = status >= 300 && status !== 304 ? await readUpTo(response, MAX_FAILURE_BYTES) : undefined;
    return { ...response, failure };
  }

  async function send(run: OperationRun, first: TransportRequest): Promise<Hop> {
    const { manifest } = run.connection.provider;
    let request = first;
    for (let hops = 0; ; hops++) {
      const hop: Hop = await callWithRetries({
        provider: manifest.id,
        request,
        retries: run.maxRetries,
        repeatable: true,
        client: run.client,
        trace: run.trace,
        send: receive,
        interpret(response) {
          assertStatus(response);
          const { headers, failure } = response;
          const statusCode = statusOf(response);
          const body = failure ? parseBody({ statusCode, bytes: failure }) : null;
          const answer = { status: statusCode, headers, body };
          const { status, waitSeconds } = interpretAnswer(failure ? manifest : {}, answer);
          return {
            status,
            waitSeconds,
            value: { response, status, waitSeconds, next: redirectTarget(request, response) },
          };
        },
      });
      if (!hop.next || hops === MAX_REDIRECTS) return hop;
      request = hop.next;
    }
  }

  /** Opens a file for streaming. A token that is refused and can be refreshed is refreshed once. */
  return async function download(
    run: OperationRun,
    implementation: DownloadImplementation,
    context: Context,
    clientHeaders: Record<string, string>,
  ): Promise<Download> {
    const { request, fileName, contentType } = await guardFormat(run.connection, () => implementation.source(context));
    const open = () => {
      run.calls++;
      const prepared = prepareRequest(run.connection, request);
      return send(run, { ...prepared, headers: { ...prepared.headers, accept: "*/*", ...clientHeaders } });
    };
    let hop = await open();
    await tokens.noteStatus(run.connection, hop.status);
    if (hop.status === 401 && tokens.isRefreshable(run.connection)) {
      const refreshed = await tokens.refreshRefusedToken(run.connection);
      if (refreshed) {
        run.connection = refreshed;
        hop = await open();
        if (hop.status === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { response, status, waitSeconds } = hop;
    const { headers, failure } = response;
    const { pathSecrets } = run.connection;
    if (failure)
      throw new ProviderFailure(
        status,
        redactHeaders(headers, pathSecrets),
        redactBytes(failure, pathSecrets),
        waitSeconds(),
      );
    const type = contentType ?? headers["content-type"];
    const disposition = attachment(fileName ?? fileNameOf([headers["content-disposition"]].flat()[0]));
    return {
      status,
      headers: {
        ...Object.fromEntries(
          RESPONSE_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
        ),
        "content-type": String(type ?? "application/octet-stream"),
        "content-disposition": disposition,
        // A browser must not guess that the file is a page.
        "x-content-type-options": "nosniff",
      },
      pipeTo: response.pipeTo,
    };
  };
}
