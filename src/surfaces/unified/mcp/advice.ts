import { Fault, type FaultKind, ProviderFailure } from "../../../contracts/fault.ts";

/** What a model can do about a fault. */
const advice: Record<FaultKind, string> = {
  unauthorized: "The API key is not known: the user has to check it.",
  invalid_input: "Correct the arguments and call again.",
  not_found: "Check the value with the tool that lists it.",
  connection_missing: "The connection is gone: the user has to connect again.",
  refresh_failed: "The user has to connect again.",
  refresh_unavailable: "Try again in a minute; if it goes on, the user has to connect again.",
  integration_missing: "The connection's integration was deleted: the user has to set it up again.",
  operation_unsupported: "Use another tool.",
  mcp_unsupported: "Use another tool.",
  rate_limited: "Wait and call again, less often.",
  upstream_timeout: "Try again later, or ask for less with a smaller `limit`.",
  upstream_unreachable: "Try again later.",
  upstream_forbidden: "The connection's address may not be called: the user has to check the integration.",
  upstream_malformed: "Try again later.",
  overloaded: "Try again in a few seconds.",
  store_unavailable: "Try again in a few seconds.",
  internal: "This is a mistake of the service's own. Trying again is unlikely to help.",
};

/** The same for what a provider answers. */
function adviceOn(status: number, retryAfter: string | undefined): string {
  if (status === 401) return "The provider refuses the connection's credentials: the user has to connect again.";
  if (status === 403) return "The connection may not do this: the user has to grant it more access.";
  if (status === 404) return "Check the arguments with the tool that lists their values.";
  if (status === 429)
    return retryAfter ? `Wait ${retryAfter} seconds and call again.` : "Wait a minute and call again.";
  return status >= 500 ? "The provider has a problem: try again later." : "Correct the arguments and call again.";
}

/** Most characters of a provider's answer that are shown. */
const MAX_BODY_LENGTH = 4_000;

const shorten = (text: string) =>
  text.length > MAX_BODY_LENGTH ? `${text.slice(0, MAX_BODY_LENGTH)}… (${text.length - MAX_BODY_LENGTH} more)` : text;

/** What went wrong and what to do about it, for a model to read. */
export function explain(error: unknown, provider: string, requestId: string): string {
  if (error instanceof ProviderFailure) {
    const { status, headers, body } = error;
    const said = body.length > 0 ? `: ${shorten(body.toString())}` : ".";
    return `${provider} answered ${status}${said}\n${adviceOn(status, [headers["retry-after"]].flat()[0])}`;
  }
  const { kind, message, problems } = error instanceof Fault ? error : new Fault("internal", "");
  const wrong = problems.map(({ path, message }) => `\`${path.slice(1).join(".") || path[0]}\` ${message}`).join("; ");
  const what = wrong || message || `The call failed (request ${requestId})`;
  return `${what[0]!.toUpperCase()}${what.slice(1)}. ${advice[kind]}`;
}
