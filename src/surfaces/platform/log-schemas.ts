import Type, { type Static } from "typebox";
import { Nullable, NullableText, Shape, Text, Timestamp } from "../../categories/schema.ts";
import { Filter, MapOf, Paging } from "./schemas.ts";

const NullableInteger = (description: string) => Nullable(Type.Integer({ description }));

const UpstreamAttempt = Shape("UpstreamAttempt", {
  method: Text(),
  path: Text("At the provider, without the query"),
  status: NullableInteger("The provider's status; null if there was no response that could be read"),
  error: NullableText("Why there was none: timeout, unreachable, malformed, overloaded, cancelled or another code"),
  duration_ms: Type.Number({ description: "Until the response was read, or, if it is streamed, until it began" }),
  attempt: Type.Integer({ description: "1 for the first attempt of a call, 2 for its first retry" }),
});

export const LogRecord = Shape("LogEntry", {
  id: Text(),
  request_id: Text("The response's X-Request-Id header"),
  connection_id: NullableText(),
  surface: Text("unified, proxy, mcp, platform or auth"),
  method: Text(),
  path: Text("Without the query"),
  status: Type.Integer({ description: "499 if the connection was closed before the whole response was sent" }),
  outcome: NullableText(
    "Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout",
  ),
  duration_ms: Type.Number(),
  upstream_calls: Type.Integer({ description: "Calls to the provider, retries not counted" }),
  created_at: Timestamp(),
  integration_id: NullableText(),
  error_source: NullableText(
    "Whose error it is, plugboard or provider; null for a success, and if the client disconnected",
  ),
  upstream: Type.Array(UpstreamAttempt, {
    description:
      "The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept",
  }),
});

export const ListLogs = Type.Object({
  ...Paging,
  connection_id: Filter("only requests that used this connection"),
  integration_id: Filter("only requests that used a connection of this integration"),
  surface: Filter("only requests to this surface: unified, proxy, mcp, platform or auth"),
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5](xx|[0-9]{2})$",
      maxLength: 3,
      minLength: 3,
      description: "only responses with this status, such as 404, or of this class, such as 5xx",
    }),
  ),
  outcome: Filter("only requests with this outcome, such as rate_limited, provider_404 or client_disconnected"),
  error_source: Type.Optional(
    Type.String({ enum: ["plugboard", "provider"], description: "Only errors of this origin" }),
  ),
  request_id: Filter("only the request with this X-Request-Id"),
  since: Filter("only requests from this time on (ISO 8601)"),
  until: Filter("only requests before this time (ISO 8601)"),
});

// Usage

const counts = {
  requests: Type.Integer(),
  plugboard_errors: Type.Integer({ description: "Errors of Plugboard itself, invalid requests included" }),
  provider_errors: Type.Integer({ description: "Errors of the provider" }),
};

const usage = {
  ...counts,
  p50_ms: NullableInteger("Half of the requests took no longer, as an estimate; null without requests"),
  p95_ms: NullableInteger("95 % of the requests took no longer, as an estimate; null without requests"),
  surfaces: MapOf<Static<ReturnType<typeof Type.Object<typeof counts>>>>(
    Type.Object(counts, { additionalProperties: false }),
    "The same counts by surface, for those that had requests",
  ),
};

export const UsageRecord = Shape("Usage", {
  since: Timestamp("The start of the first bucket"),
  until: Timestamp("The end of the last bucket"),
  bucket_seconds: Type.Integer({ description: "60 or 3600" }),
  total: Type.Object(usage, { additionalProperties: false }),
  buckets: Type.Array(Type.Object({ start: Timestamp(), ...usage }, { additionalProperties: false }), {
    description: "One per minute or hour, in the order of time, also if it had no requests",
  }),
});

export const GetUsage = Type.Object({
  since: Filter("from this time on (ISO 8601); a day before `until` by default, at most 31 days"),
  until: Filter("before this time (ISO 8601); now by default"),
  connection_id: Filter("only requests that used this connection"),
});
