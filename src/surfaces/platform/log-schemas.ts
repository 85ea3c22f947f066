import Type from "typebox";
import { Nullable, NullableText, Shape, Text, Timestamp } from "../../categories/schema.ts";
import { Filter, Paging } from "./schemas.ts";

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
  status: Type.Integer(),
  outcome: NullableText("Error code, or the result of the token revocation"),
  duration_ms: Type.Number(),
  upstream_calls: Type.Integer({ description: "Calls to the provider, retries not counted" }),
  created_at: Timestamp(),
  integration_id: NullableText(),
  error_source: NullableText("Whose error it is, plugboard or provider; null for a success"),
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
  outcome: Filter("only requests with this outcome, such as rate_limited or provider_404"),
  error_source: Type.Optional(
    Type.String({ enum: ["plugboard", "provider"], description: "Only errors of this origin" }),
  ),
  request_id: Filter("only the request with this X-Request-Id"),
  since: Filter("only requests from this time on (ISO 8601)"),
  until: Filter("only requests before this time (ISO 8601)"),
});
