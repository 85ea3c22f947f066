import Type, { type Static } from "typebox";
import { Nullable, NullableText, Shape, Text, Timestamp } from "../../../categories/schema.ts";
import { closed, NullableInteger } from "./schema.ts";

/** Of a list whose search ended early: entries before this time were not searched. */
export const SEARCHED_UNTIL_HEADER = "X-Searched-Until";

export const UpstreamAttemptRecord = Shape("UpstreamAttempt", {
  method: Text(),
  path: Text("At the provider, without the query"),
  status: NullableInteger("The provider's status; null if there was no response that could be read"),
  error: NullableText("Why there was none: timeout, unreachable, malformed, overloaded, cancelled or another code"),
  duration_ms: Type.Number({ description: "Until the response was read, or, if it is streamed, until it began" }),
  attempt: Type.Integer({ description: "1 for the first attempt of a call, 2 for its first retry" }),
});
export type UpstreamAttemptRecord = Static<typeof UpstreamAttemptRecord>;

export const LogRecord = Shape("LogEntry", {
  id: Text(),
  request_id: Text("The response's X-Request-Id header"),
  connection_id: NullableText(),
  surface: Text("unified, proxy, mcp, platform or auth"),
  method: Text(),
  path: Text("Without the query"),
  operation: NullableText(
    "The operation of Unified and Unified MCP, such as git.listRepositories, or what was asked of the provider's MCP server, such as tools/call search_issues",
  ),
  mcp_client: NullableText("The MCP client that called, as far as it says its name"),
  person: NullableText("For whom an MCP client called: an external_id"),
  status: Type.Integer({ description: "499 if the connection was closed before the whole response was sent" }),
  outcome: NullableText(
    "Error code, the result of the token revocation, or why the response did not end: client_disconnected, provider_broke_off, service_stopped or request_timeout",
  ),
  duration_ms: Type.Number(),
  upstream_calls: Type.Integer({ description: "Calls to the provider, retries not counted" }),
  created_at: Timestamp(),
  integration_id: NullableText(),
  error_source: NullableText(
    "Whose error it is: application (the caller's own), provider or plugboard; null for a success, and if the client disconnected",
  ),
  upstream: Type.Array(UpstreamAttemptRecord, {
    description:
      "The first 50 attempts of the calls to the provider, with retries. Token requests are not among them; neither queries nor bodies are kept",
  }),
});
export type LogRecord = Static<typeof LogRecord>;

const failure = Type.Object(
  {
    query: NullableText("The query of the request"),
    detail: NullableText("What is wrong"),
    provider_body: NullableText("The first 2 kB of the provider's response"),
  },
  {
    ...closed,
    description: "Of a request that failed, with secrets hidden. With `FAILURE_DETAILS=off`, nothing is kept",
  },
);

export const FullLogRecord = Shape("FullLogEntry", { ...LogRecord.properties, failure: Nullable(failure) });
export type FullLogRecord = Static<typeof FullLogRecord>;
