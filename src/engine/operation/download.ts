import { ProviderFailure } from "../../contracts/fault.ts";
import type { Context, DownloadImplementation } from "../../contracts/provider.ts";
import type { TokenKeeper } from "../connection/token-refresh.ts";
import { asReceived, type CallWithRetries } from "../http/attempts.ts";
import { redactBytes, redactHeaders } from "../http/redact.ts";
import { parseLocation } from "../http/redirect.ts";
import { discard, readUpTo, type StreamedResponse } from "../http/stream-response.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import type { FormatGuard } from "./format-guard.ts";
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
const RESPONSE_HEADERS = ["content-length", "content-range", "accept-ranges", "etag", "last-modified"] as const;

const MAX_REDIRECTS = 3;
const MAX_FAILURE_BYTES = 64 * 1024;
const isRedirect = (status: number) =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

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

/** A response, and the request that follows it if it is a redirect. */
interface Hop {
  response: StreamedResponse;
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
  async function send(run: OperationRun, first: TransportRequest): Promise<StreamedResponse> {
    let request = first;
    for (let hops = 0; ; hops++) {
      const { response, next }: Hop = await callWithRetries({
        provider: run.connection.provider.manifest.id,
        request,
        retries: run.maxRetries,
        repeatable: true,
        client: run.client,
        trace: run.trace,
        send: transport.stream,
        interpret: (received) => ({
          ...asReceived(received),
          status: statusOf(received),
          value: { response: received, next: redirectTarget(request, received) },
        }),
        discard: ({ response }) => discard(response),
      });
      if (!next || hops === MAX_REDIRECTS) return response;
      discard(response);
      request = next;
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
    let response = await open();
    await tokens.noteStatus(run.connection, response.statusCode);
    if (response.statusCode === 401 && tokens.isRefreshable(run.connection)) {
      const refreshed = await tokens.refreshRefusedToken(run.connection).catch((error: unknown) => {
        discard(response);
        throw error;
      });
      if (refreshed) {
        discard(response);
        run.connection = refreshed;
        response = await open();
        if (response.statusCode === 401) tokens.refusedAgain(refreshed);
      }
    }
    const { headers } = response;
    const status = statusOf(response);
    if (status >= 300 && status !== 304)
      throw new ProviderFailure(
        status,
        redactHeaders(headers, run.connection.pathSecrets),
        redactBytes(await readUpTo(response, MAX_FAILURE_BYTES), run.connection.pathSecrets),
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
