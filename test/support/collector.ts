// A collector: an HTTP server that decodes what it gets with the official protocol definitions.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";

const { collector } = (root as any).opentelemetry.proto;
/** By path. */
const messages: Record<string, any> = {
  "/v1/traces": collector.trace.v1.ExportTraceServiceRequest,
  "/v1/metrics": collector.metrics.v1.ExportMetricsServiceRequest,
  "/v1/logs": collector.logs.v1.ExportLogsServiceRequest,
};

const ID_FIELDS = ["traceId", "spanId", "parentSpanId"];

/** Ids as bytes in base64, which is how the definitions have them; OTLP writes them as hexadecimal digits in JSON. */
const withIds = (text: string) =>
  JSON.parse(text, (key, value) => (ID_FIELDS.includes(key) ? Buffer.from(value, "hex").toString("base64") : value));

const toHex = (key: string, value: unknown) =>
  ID_FIELDS.includes(key) ? Buffer.from(value as string, "base64").toString("hex") : value;

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** As OTLP in JSON. */
  body: any;
}

/** Decodes a request, and throws if a field of it is not in the definitions, or has another type there. */
export function decodeOtlp(path: string, type: string, bytes: Buffer): any {
  const message = messages[path];
  const options = { longs: String, bytes: String };
  let decoded: any;
  if (type === "application/json") {
    const given = withIds(bytes.toString());
    decoded = message.toObject(message.fromObject(given), options);
    if (JSON.stringify(sorted(decoded)) !== JSON.stringify(sorted(given)))
      throw new Error(`not in the definitions: ${bytes.toString()}`);
  } else {
    const parsed = message.decode(bytes);
    decoded = message.toObject(parsed, options);
    // What is unknown is skipped by the decoder, and so would be missing here.
    if (message.encode(parsed).finish().length !== bytes.length)
      throw new Error("has fields that are not in the definitions");
  }
  const problem = message.verify(message.fromObject(decoded));
  if (problem) throw new Error(problem);
  return JSON.parse(JSON.stringify(decoded, toHex));
}

/** With its fields in one order, and without empty lists, which the decoder leaves out. */
const sorted = (value: any): any => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => value[key].length !== 0)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
};

/** With `tls`, it is reached by TLS alone. */
export async function startCollector(tls?: ServerOptions) {
  const received: Received[] = [];
  const problems: unknown[] = [];
  let respond: RequestListener | undefined;
  const receive: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (respond) return respond(request, response);
    const sent = Buffer.concat(chunks);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    try {
      const body = decodeOtlp(request.url!, request.headers["content-type"]!, bytes);
      received.push({ path: request.url!, headers: request.headers, body });
      response.end();
    } catch (error) {
      problems.push(error);
      response.writeHead(400).end();
    }
  };
  const server = tls ? createTlsServer(tls, receive) : createServer(receive);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    received,
    /** Requests that were not valid. */
    problems,
    /** Sends another response than a success. */
    answer(next: RequestListener | undefined) {
      respond = next;
    },
    spans: (): any[] =>
      received.flatMap(({ body }) => body.resourceSpans ?? []).flatMap((one) => one.scopeSpans[0].spans),
    metrics: (): any[] =>
      received.flatMap(({ body }) => body.resourceMetrics ?? []).flatMap((one) => one.scopeMetrics[0].metrics),
    logs: (): any[] =>
      received.flatMap(({ body }) => body.resourceLogs ?? []).flatMap((one) => one.scopeLogs[0].logRecords),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The attributes of a span, a metric's point or a log record, by name. */
export const attributesOf = ({ attributes = [] }: { attributes?: any[] }): Record<string, any> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
