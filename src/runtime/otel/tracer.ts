import type { Sampler } from "../../contracts/telemetry.ts";
import type { Span, SpanAttributes, SpanContext, SpanEnd, TraceCarrier, Tracing } from "../../contracts/tracing.ts";
import { newSpanId, newTraceId } from "./random-ids.ts";
import { type ReceivedContext, readContext, writeContext } from "./trace-context.ts";

/** As OTLP numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;

/** A span that has ended. Times are milliseconds since 1970, with fractions. */
export interface EndedSpan {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  /** Whether its parent is in another process. Undefined without a parent. */
  hasRemoteParent: boolean | undefined;
  state: string | undefined;
  link: ReceivedContext | undefined;
  kind: number;
  name: string;
  startedAt: number;
  endedAt: number;
  attributes: SpanAttributes;
  isError: boolean;
}

interface TracerOptions {
  sampler: Sampler;
  propagates: boolean;
  ended(span: EndedSpan): void;
}

/** More than a clock is set by at a time. */
const MAX_DRIFT_MS = 20;
let clockOrigin = Date.now() - performance.now();

/** The time with fractions of a millisecond. It follows the system's clock, which may be set meanwhile. */
function preciseNow(): number {
  const precise = clockOrigin + performance.now();
  const drift = Date.now() - precise;
  if (Math.abs(drift) <= MAX_DRIFT_MS) return precise;
  clockOrigin += drift;
  return precise + drift;
}

/** The last 14 of its 32 digits decide, so that every service with this ratio keeps the same traces. */
const RATIO_DIGITS = 14;
const isInRatio = (traceId: string, ratio: number): boolean =>
  ratio >= 1 || (ratio > 0 && Number.parseInt(traceId.slice(-RATIO_DIGITS), 16) < ratio * 16 ** RATIO_DIGITS);

class OpenSpan implements Span {
  traceId: string;
  readonly spanId = newSpanId();
  isSampled: boolean;
  #parent: SpanContext | undefined;
  #received: ReceivedContext | undefined;
  #link: ReceivedContext | undefined;
  readonly #startedAt: number;
  readonly #kind: number;
  readonly #options: TracerOptions;

  constructor(options: TracerOptions, kind: number, parent: SpanContext | undefined, received?: ReceivedContext) {
    this.#options = options;
    this.#kind = kind;
    this.#parent = received ?? parent;
    this.#received = received;
    this.traceId = this.#parent?.traceId ?? newTraceId();
    this.isSampled = this.#sample(parent);
    this.#startedAt = preciseNow();
  }

  get traceparent(): string | undefined {
    return this.#options.propagates ? writeContext(this) : undefined;
  }

  continueFrom(carrier: TraceCarrier): void {
    const received = this.#options.propagates ? readContext(carrier) : undefined;
    if (!received) return;
    this.#link = this.#received;
    this.#received = received;
    this.#parent = received;
    this.traceId = received.traceId;
    this.isSampled = this.#sample(undefined);
  }

  linkTo(carrier: TraceCarrier): void {
    if (this.isSampled && this.#options.propagates) this.#link = readContext(carrier);
  }

  end(describe: () => SpanEnd): void {
    if (!this.isSampled) return;
    const { name, attributes, isError = false } = describe();
    this.#options.ended({
      traceId: this.traceId,
      spanId: this.spanId,
      parentId: this.#parent?.spanId,
      hasRemoteParent: this.#parent && this.#received !== undefined,
      state: this.#received?.state,
      link: this.#link,
      kind: this.#kind,
      name,
      startedAt: this.#startedAt,
      endedAt: preciseNow(),
      attributes,
      isError,
    });
  }

  /** What this process has begun is kept or dropped as a whole. */
  #sample(parent: SpanContext | undefined): boolean {
    if (parent) return parent.isSampled;
    const { isParentBased, ratio } = this.#options.sampler;
    return this.#received && isParentBased ? this.#received.isSampled : isInRatio(this.traceId, ratio);
  }
}

export function createTracer(options: TracerOptions): Tracing {
  return {
    startServer: (carrier) =>
      new OpenSpan(options, SPAN_KINDS.server, undefined, options.propagates ? readContext(carrier) : undefined),
    startClient: (parent) => new OpenSpan(options, SPAN_KINDS.client, parent),
    startInternal: () => new OpenSpan(options, SPAN_KINDS.internal, undefined),
  };
}
