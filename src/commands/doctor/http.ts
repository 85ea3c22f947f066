import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { createResolver } from "../../engine/http/resolver.ts";
import { request as requestHttp } from "../../runtime/node-http.ts";
import { CALL_TIMEOUT_MS, type Machine } from "./context.ts";

const MAX_BYTES = 8 * 1024 * 1024;

export interface Answer {
  status: number;
  /** When it began to arrive, by this machine's clock. */
  at: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** An empty object if it is not a JSON object. */
  json: Record<string, unknown>;
}

export const lookupOf = ({ resolve }: Machine): LookupFunction => createResolver(() => {}, resolve);

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Asks one of the service's own addresses, without a key and without following redirects. Certificates are not checked
 * here, since they have findings of their own.
 */
export function ask(url: string, machine: Machine, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.startsWith("https:") ? requestHttps : requestHttp)(url, {
      headers: { "user-agent": "plugboard-doctor", ...headers },
      agent: false,
      lookup: lookupOf(machine),
      rejectUnauthorized: false,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    request.on("error", reject);
    request.on("response", async (response) => {
      const at = machine.now();
      try {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of response as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > MAX_BYTES) break;
          chunks.push(chunk);
        }
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode!, at, headers: response.headers, text, json: parse(text) });
      } catch (error) {
        reject(error);
      }
    });
    request.end();
  });
}
