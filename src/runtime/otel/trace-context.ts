import type { SpanContext, TraceCarrier } from "../../contracts/tracing.ts";

/** A context that was received, with what other systems have added to it. */
export interface ReceivedContext extends SpanContext {
  state: string | undefined;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);
const MAX_STATE_LENGTH = 512;
const SAMPLED = 1;

/** Undefined if there is none, or if it is not valid: https://www.w3.org/TR/trace-context/#traceparent-header */
export function readContext({ traceparent, tracestate }: TraceCarrier): ReceivedContext | undefined {
  if (typeof traceparent !== "string") return undefined;
  const [found, version, traceId = "", spanId = "", flags = "", more] = TRACEPARENT.exec(traceparent) ?? [];
  if (!found || version === "ff" || (version === "00" && more) || traceId === NO_TRACE || spanId === NO_SPAN)
    return undefined;
  return {
    traceId,
    spanId,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    state: typeof tracestate === "string" && tracestate.length <= MAX_STATE_LENGTH ? tracestate : undefined,
  };
}

export const writeContext = ({ traceId, spanId, isSampled }: SpanContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
