import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Agent, buildConnector, request } from "undici";
import type { ProxySettings } from "../../contracts/network.ts";
import type { Signal, SignalSettings, TelemetrySettings } from "../../contracts/telemetry.ts";
import { createProxyChoice, openTunnel, portOf, withoutBrackets } from "../outbound-proxy.ts";
import { requests } from "./otlp-messages.ts";
import { encodeProtobuf } from "./protobuf.ts";
import { readRejected } from "./rejected-records.ts";

const compress = promisify(gzip);

const CONTENT_TYPES = { "http/protobuf": "application/x-protobuf", "http/json": "application/json" };
/** The collector can be asked again: https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes */
const RETRYABLE = [429, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface Exporter {
  /** Sends one request. Returns how many of its records were refused; throws if it was not accepted at all. */
  send(signal: Signal, body: object, stop: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

class Refused extends Error {
  readonly waitMs: number | undefined;

  constructor(status: number, waitMs: number | undefined) {
    super(`the collector answered ${status}`);
    this.waitMs = waitMs;
  }
}

function readGiven(variable: string, file: string | undefined): Buffer | undefined {
  try {
    return file ? readFileSync(file) : undefined;
  } catch (error) {
    throw new Error(`${variable}: cannot read the file ${file}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** The collector is the operator's own: its address is not checked. */
function connectorFor({ tls }: Pick<TelemetrySettings, "tls">, proxy: ProxySettings | undefined) {
  const ca = readGiven("OTEL_EXPORTER_OTLP_CERTIFICATE", tls.ca);
  const key = readGiven("OTEL_EXPORTER_OTLP_CLIENT_KEY", tls.key);
  const cert = readGiven("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", tls.cert);
  const connect = buildConnector({ ...(ca ? { ca } : {}), ...(key ? { key } : {}), ...(cert ? { cert } : {}) });
  const chooseProxy = createProxyChoice(proxy);
  const connector: buildConnector.connector = (target, callback) => {
    const chosen = chooseProxy(target);
    if (!chosen) return connect(target, callback);
    openTunnel(chosen, withoutBrackets(target.hostname), portOf(target)).then(
      (httpSocket) =>
        target.protocol === "https:" ? connect({ ...target, httpSocket }, callback) : callback(null, httpSocket),
      (error) => callback(error, null),
    );
  };
  return connector;
}

/** Sends OTLP over HTTP, and again if the collector says that it may work later, for as long as the timeout allows. */
export function createExporter(settings: TelemetrySettings, proxy: ProxySettings | undefined): Exporter {
  const agent = new Agent({ connect: connectorFor(settings, proxy), connections: 2 });

  async function post(to: SignalSettings, signal: Signal, body: Buffer, stop: AbortSignal): Promise<number> {
    const answer = await request(to.url, {
      method: "POST",
      headers: {
        "user-agent": "plugboard",
        ...to.headers,
        "content-type": CONTENT_TYPES[to.protocol],
        ...(to.compression === "gzip" ? { "content-encoding": "gzip" } : {}),
      },
      body,
      dispatcher: agent,
      signal: stop,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer()).subarray(0, MAX_ANSWER_BYTES);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return readRejected(signal, bytes, to.protocol);
    const seconds = Number(answer.headers["retry-after"]);
    throw new Refused(
      answer.statusCode,
      RETRYABLE.includes(answer.statusCode) ? (seconds > 0 ? seconds * 1000 : 0) : undefined,
    );
  }

  return {
    async send(signal, body, stop) {
      const to = settings[signal]!;
      const encoded =
        to.protocol === "http/json" ? Buffer.from(JSON.stringify(body)) : encodeProtobuf(requests[signal], body);
      const bytes = to.compression === "gzip" ? await compress(encoded) : encoded;
      const deadline = performance.now() + to.timeoutMs;
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
        const left = AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())));
        try {
          return await post(to, signal, bytes, AbortSignal.any([stop, left]));
        } catch (error) {
          const asked = error instanceof Refused ? error.waitMs : 0;
          const pause = Math.max(asked ?? 0, wait * (0.5 + Math.random()));
          if (asked === undefined || stop.aborted || performance.now() + pause > deadline) throw error;
          await sleep(pause, undefined, { ref: false, signal: stop }).catch(() => {});
        }
      }
    },
    close: () => agent.destroy(),
  };
}
