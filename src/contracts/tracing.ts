/** A place in a trace, from which others continue: https://www.w3.org/TR/trace-context/ */
export interface SpanContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Where a context is sent along: headers, or `_meta` of an MCP message. */
export interface TraceCarrier {
  traceparent?: unknown;
  tracestate?: unknown;
}

export type SpanAttributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanEnd {
  name: string;
  attributes: SpanAttributes;
  isError?: boolean;
}

/** A piece of work that has begun. */
export interface Span extends SpanContext {
  /** The header with which what it calls continues the trace; undefined if nothing is sent along. */
  readonly traceparent: string | undefined;
  /** Continues from another context instead. Nothing may have continued from this span yet. */
  continueFrom(carrier: TraceCarrier): void;
  /** Notes another context that this span belongs to. */
  linkTo(carrier: TraceCarrier): void;
  /** `describe` is called only if the span is kept. */
  end(describe: () => SpanEnd): void;
}

export interface Tracing {
  /** A request of a client, which may continue its trace. */
  startServer(carrier: TraceCarrier): Span;
  /** A call to another service. Without a parent it begins a trace. */
  startClient(parent: SpanContext | undefined): Span;
  /** Work that nobody asked for just now. */
  startInternal(): Span;
}
