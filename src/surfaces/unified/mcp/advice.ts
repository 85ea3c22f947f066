import { Fault, type FaultKind, ProviderFailure } from "../../../contracts/fault.ts";
import { IDEMPOTENCY_KEY } from "../input.ts";
import { META_KEY, type Tool } from "./tools.ts";

/** What a model should do about a fault. */
const advice: Record<FaultKind, string> = {
  unauthorized: "The API key is unknown: the user has to check it.",
  insufficient_scope: "The API key does not allow this: the user has to use another one.",
  origin_refused: "Web pages of this origin may not use this server.",
  invalid_input: "Correct the arguments and call again.",
  too_large: "Send less and call again.",
  conflict: "Change the arguments and call again.",
  not_found: "Use another tool.",
  record_missing: "Check the value with the tool that lists it.",
  connection_missing: "The connection no longer exists: the user has to connect again.",
  refresh_failed: "The user has to connect again.",
  refresh_unavailable: "Try again in a minute. If this keeps failing, the user has to connect again.",
  credentials_unreadable: "The user has to connect again, unless the encryption key is restored.",
  integration_missing: "The user has to set it up again.",
  operation_unsupported: "Use another tool.",
  mcp_unsupported: "Use another tool.",
  rate_limited: "Wait and call again, less often.",
  upstream_timeout: "Try again later, or with a smaller `limit`.",
  upstream_unreachable: "Try again later.",
  upstream_forbidden: "Calls to the provider's address are not allowed: the user has to check the integration.",
  upstream_malformed: "Try again later.",
  idempotency_key_reused: "Use another idempotency key.",
  request_in_progress: "Wait a few seconds and call again.",
  outcome_unknown: "Check with the tools that list records whether it was carried out.",
  overloaded: "Try again in a few seconds.",
  store_unavailable: "Try again in a few seconds.",
  internal: "This is an internal error. Trying again is unlikely to help.",
};

/** What a model should do about a provider's error. */
function providerAdvice(status: number, retryAfter: string | undefined): string {
  if (status === 401) return "The provider rejected the connection's credentials: the user has to connect again.";
  if (status === 403) return "The connection lacks permission for this: the user has to grant more access.";
  if (status === 404) return "Check the arguments with the tool that lists their values.";
  if (status === 429)
    return retryAfter ? `Wait ${retryAfter} seconds and call again.` : "Wait a minute and call again.";
  return status >= 500 ? "The provider has a problem: try again later." : "Correct the arguments and call again.";
}

/** In characters of a provider's response. */
const MAX_BODY_LENGTH = 4_000;

const shorten = (text: string) =>
  text.length > MAX_BODY_LENGTH
    ? `${text.slice(0, MAX_BODY_LENGTH)}… (${text.length - MAX_BODY_LENGTH} more characters)`
    : text;

/** Faults name routes and a header of the Unified API. A model knows tools, and its client `_meta`. */
const inMcpTerms = (text: string, tools: readonly Tool[]) =>
  text
    .replace(/\b[A-Z]+ \/v1\/[\w/{}-]+/g, (route) => tools.find((tool) => tool.route === route)?.name ?? route)
    .replaceAll(IDEMPOTENCY_KEY, META_KEY);

interface Explained {
  tools: readonly Tool[];
  requestId: string;
  /** Its name. */
  provider?: string;
}

/** What went wrong and what to do about it, for a model to read. */
export function explain(error: unknown, { tools, requestId, provider = "The provider" }: Explained): string {
  if (error instanceof ProviderFailure) {
    const { status, headers, body } = error;
    const shown = body.length > 0 ? `: ${shorten(body.toString())}` : ".";
    return `${provider} responded with ${status}${shown}\n${providerAdvice(status, [headers["retry-after"]].flat()[0])}`;
  }
  const { kind, message, problems } = error instanceof Fault ? error : new Fault("internal", "");
  const invalid = problems
    .map(({ path, message }) => `\`${path.slice(1).join(".") || path[0]}\` ${message}`)
    .join("; ");
  const summary = inMcpTerms(invalid || message, tools) || `The call failed (request ${requestId})`;
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}. ${advice[kind]}`;
}
