// What the SDK's tests without a service share: a client whose requests are answered in turn.
import { vi } from "vitest";
import type { PlugboardOptions } from "../../sdk/src/index.ts";
import * as sdk from "../../sdk/src/index.ts";

export const FAILED = { success: false, errors: [{ code: 7005, message: "Service Unavailable" }] };

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, {
      status,
      headers: { ...(status >= 400 ? { "svc-error-source": "plugboard" } : {}), ...headers },
    });
export const ok = (data: unknown = {}) => answer(200, { response: { data } });
export const page = (data: unknown[], next: string | null) => answer(200, { response: { data, metadata: { next } } });
export const lost = () => {
  throw new TypeError("fetch failed");
};

export type Step = () => Response;

/** A client whose requests are answered by the steps in turn, and what it sent. */
export function clientOf(steps: Step[], options: Partial<PlugboardOptions> = {}) {
  const requests: { url: URL; method: string; headers: Headers; body: unknown; at: number }[] = [];
  const pb = new sdk.Plugboard({
    apiKey: "key_1",
    baseUrl: "http://plugboard.example/",
    async fetch(url, init = {}) {
      const { method = "GET", headers, body } = init;
      requests.push({ url: new URL(String(url)), method, headers: new Headers(headers), body, at: Date.now() });
      init.signal?.throwIfAborted();
      return steps[Math.min(requests.length, steps.length) - 1]!();
    },
    ...options,
  });
  return { pb, connection: pb.connection("conn_1"), requests };
}

/** The result of a call that waits for timers, which pass at once. */
export async function settled<T>(call: Promise<T>): Promise<T> {
  // Handled now, so that a rejection while the timers run is not reported as unhandled.
  call.catch(() => {});
  await vi.runAllTimersAsync();
  return call;
}
