import type { Signal, SignalSettings } from "../../contracts/telemetry.ts";

const FIELDS = { traces: "rejectedSpans", metrics: "rejectedDataPoints", logs: "rejectedLogRecords" } as const;
const PARTIAL_SUCCESS = 1;
const REJECTED = 1;
const VARINT = 0;
const LENGTH = 2;

/** A varint at a position, and where it ends. */
function readVarint(bytes: Buffer, from: number): [value: number, end: number] {
  let value = 0;
  for (let at = from, scale = 1; at < bytes.length; at++, scale *= 128) {
    value += (bytes[at]! & 127) * scale;
    if (bytes[at]! < 128) return [value, at + 1];
  }
  return [0, bytes.length];
}

/** The first field of a message, if it has this number and form. */
function firstField(bytes: Buffer, number: number, form: number): [value: number, end: number] | undefined {
  const [tag, end] = readVarint(bytes, 0);
  return tag === ((number << 3) | form) ? readVarint(bytes, end) : undefined;
}

/** How many records a collector refused although it accepted the request. Anything else in its answer is ignored. */
export function readRejected(signal: Signal, answer: Buffer, protocol: SignalSettings["protocol"]): number {
  if (answer.length === 0) return 0;
  if (protocol === "http/json") {
    try {
      const { partialSuccess } = JSON.parse(answer.toString()) as { partialSuccess?: Record<string, unknown> };
      return Number(partialSuccess?.[FIELDS[signal]] ?? 0) || 0;
    } catch {
      return 0;
    }
  }
  const [size = 0, start = 0] = firstField(answer, PARTIAL_SUCCESS, LENGTH) ?? [];
  return firstField(answer.subarray(start, start + size), REJECTED, VARINT)?.[0] ?? 0;
}
