import { ProviderFailure } from "../../contracts/fault.ts";
import type { Forwarded } from "../../engine/index.ts";
import { type Trace, traceFailure } from "../shared/trace.ts";
import { watchBody } from "../shared/watch-body.ts";

const MAX_LENGTH = 200;
/** A larger result has room for more than an error. */
const MAX_RESULT_BYTES = 64 * 1024;
/** In JSON, and in the data of an event. */
const IS_ERROR = /"isError"\s*:\s*true/;

interface Message {
  method?: unknown;
  params?: { name?: unknown };
}

/** What a client asks an MCP server for, such as `tools/call search_issues`; null if it cannot be read. */
export function describeMessages(body: Buffer | undefined): string | null {
  let messages: (Message | null)[];
  try {
    messages = [JSON.parse(body!.toString())].flat();
  } catch {
    return null;
  }
  const described = messages.flatMap((message) => {
    if (typeof message?.method !== "string") return [];
    const { name } = message.params ?? {};
    return typeof name === "string" ? `${message.method} ${name}` : message.method;
  });
  return described.join(", ").slice(0, MAX_LENGTH) || null;
}

/** Records what was asked for, and whether a tool failed: its error has the status 200. */
export function traceMessages(trace: Trace, response: Forwarded): void {
  trace.operation = describeMessages(response.sentBody?.());
  if (!trace.operation?.includes("tools/call") || response.status >= 400) return;
  watchBody(response, MAX_RESULT_BYTES, (beginning) => {
    if (!IS_ERROR.test(beginning.toString())) return;
    traceFailure(trace, new ProviderFailure(response.status, response.headers, beginning));
    trace.outcome = "tool_error";
  });
}
