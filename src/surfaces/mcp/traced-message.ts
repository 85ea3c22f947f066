import { ProviderFailure } from "../../contracts/fault.ts";
import type { Forwarded } from "../../engine/index.ts";
import { messageCarrier, type Trace, traceFailure } from "../shared/trace.ts";
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

/** Empty if they cannot be read. */
function readMessages(body: Buffer | undefined): (Message | null)[] {
  try {
    return [JSON.parse(body!.toString())].flat();
  } catch {
    return [];
  }
}

/** What a client asks an MCP server for, such as `tools/call search_issues`; null if there is nothing. */
export function describeMessages(messages: readonly (Message | null)[]): string | null {
  const described = messages.flatMap((message) => {
    if (typeof message?.method !== "string") return [];
    const { name } = message.params ?? {};
    return typeof name === "string" ? `${message.method} ${name}` : message.method;
  });
  return described.join(", ").slice(0, MAX_LENGTH) || null;
}

/** Records what was asked for, and whether a tool failed: its error has the status 200. */
export function traceMessages(trace: Trace, response: Forwarded): void {
  const messages = readMessages(response.sentBody?.());
  trace.operation = describeMessages(messages);
  // The provider's server gets it as it is. Here it is too late to continue from it, because the call was made.
  trace.span?.linkTo(messageCarrier(messages[0]));
  if (!trace.operation?.includes("tools/call") || response.status >= 400) return;
  watchBody(response, MAX_RESULT_BYTES, (beginning) => {
    if (!IS_ERROR.test(beginning.toString())) return;
    traceFailure(trace, new ProviderFailure(response.status, response.headers, beginning));
    trace.outcome = "tool_error";
  });
}
