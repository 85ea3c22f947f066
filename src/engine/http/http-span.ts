import type { SpanAttributes, SpanEnd } from "../../contracts/tracing.ts";
import type { ForwardedRequest, TransportRequest } from "./transport.ts";

// https://opentelemetry.io/docs/specs/semconv/http/http-spans/
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"];

/** A request's method as spans have it. */
export const httpMethod = (method: string): { name: string; attributes: SpanAttributes } =>
  METHODS.includes(method)
    ? { name: method, attributes: { "http.request.method": method } }
    : { name: "HTTP", attributes: { "http.request.method": "_OTHER", "http.request.method_original": method } };

/** Whom a call was made to, and how it ended. Paths are left out: they may contain a name, an address or a key. */
export function describeCall(
  { method, origin }: { method: string; origin: string },
  outcome: number | string,
  resends: number,
  more: SpanAttributes,
): SpanEnd {
  const { protocol, hostname, port } = new URL(origin);
  const { name, attributes } = httpMethod(method);
  const isError = typeof outcome === "string" || outcome >= 400;
  return {
    name,
    isError,
    attributes: {
      ...attributes,
      "server.address": hostname,
      "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
      "url.full": `${origin}/REDACTED`,
      "http.response.status_code": typeof outcome === "number" ? outcome : undefined,
      "http.request.resend_count": resends > 0 ? resends : undefined,
      "error.type": isError ? String(outcome) : undefined,
      ...more,
    },
  };
}

/** The same request, with which the provider can continue the trace. A client's own header is replaced. */
export function withTraceparent<Request extends TransportRequest | ForwardedRequest>(
  request: Request,
  traceparent: string | undefined,
): Request {
  if (traceparent === undefined) return request;
  const { headers } = request;
  if (!Array.isArray(headers)) return { ...request, headers: { ...headers, traceparent } };
  const others = headers.filter((_, index) => headers[index & ~1] !== "traceparent");
  return { ...request, headers: [...others, "traceparent", traceparent] };
}
