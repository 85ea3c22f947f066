// Why a request failed, and what to do about it, for somebody who supports users.
import type { FaultKind } from "../../../contracts/fault.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { FullLogRecord } from "../../shared/platform-records/log-entry.ts";
import { BASE } from "../base.ts";
import { errorSources, outcomeText } from "./request-table.ts";
import { codeBlock, mono, prettyJson } from "./ui.ts";

const RECONNECT = "The user has to connect again: send a reconnect link from the connection's page. It keeps its id.";
const LATER = "Try again later. If it lasts, look at the provider's status page.";

const advice: Record<FaultKind, string> = {
  unauthorized: "Check the API key that the application sends.",
  insufficient_scope: "The API key that the application sends does not allow this: give it a key with the named scope.",
  origin_refused: "Web pages of other origins may not call this address: call it from your server.",
  invalid_input: "Correct the request: the reason names the field, and what would be valid.",
  too_large: "Send less: the reason says how much the route takes.",
  conflict: "Change the request: the reason says what it does not fit.",
  not_found: "Check the path: the API reference lists all.",
  record_missing: "Check the name in the path with the list that has it.",
  connection_missing:
    "Check the connection id that the application sends: the connection was deleted, or is of another workspace.",
  refresh_failed: RECONNECT,
  refresh_unavailable: "The provider did not renew the token for now. Try again in a minute.",
  credentials_unreadable:
    "Restore the encryption key that the credentials were stored with, or let the user connect again.",
  integration_missing: "Create the integration again, and let the user connect again.",
  operation_unsupported:
    "The provider does not have this operation: the coverage table shows which ones do. The Proxy reaches everything else.",
  mcp_unsupported:
    "The provider has no MCP server that takes these credentials. Unified MCP works with every provider.",
  rate_limited:
    "This is Plugboard's own limit for the connection. Call less often, or raise UNIFIED_RATE_LIMIT or RATE_LIMIT.",
  upstream_timeout: "The provider took too long. Try again, with a smaller limit if it is a list.",
  upstream_unreachable: LATER,
  upstream_forbidden:
    "The provider's address is not allowed: check the integration's address, or ALLOW_PRIVATE_UPSTREAMS for one in your own network.",
  upstream_malformed: LATER,
  idempotency_key_reused: "Use a new idempotency key for each write.",
  request_in_progress: "Wait until the first request with this key has ended.",
  outcome_unknown: "Look at the provider whether the write was carried out, then use a new key.",
  overloaded: "Too many calls to this provider wait: the provider is slow, or one process is not enough.",
  store_unavailable: "The database was unavailable: see /readyz and the log of the service.",
  internal: "This is a defect of Plugboard: its log has the details under the request id.",
};

/** What to do about a provider's own error. */
export function providerAdvice(status: number): string {
  if (status === 401) return RECONNECT;
  if (status === 403)
    return "The account or its token lacks a permission. The provider's answer usually names it: add the scope to the integration, then let the user connect again.";
  if (status === 404) return "Check the ids in the request: the record does not exist, or the account cannot see it.";
  if (status === 429)
    return "The provider limits how often it may be called. Plugboard has waited and tried again: call less often.";
  return status >= 500 ? LATER : "Correct the request: the provider's answer says what it does not accept.";
}

function whatToDo(outcome: string | null): string | undefined {
  const [, status] = /^provider_(\d{3})$/.exec(outcome ?? "") ?? [];
  if (status !== undefined) return providerAdvice(Number(status));
  if (outcome === "tool_error") return "The tool itself reports an error: its answer says why.";
  return outcome !== null && Object.hasOwn(advice, outcome) ? advice[outcome as FaultKind] : undefined;
}

const readable = (body: string): string => {
  try {
    return prettyJson(JSON.parse(body));
  } catch {
    return body;
  }
};

/** The reason, the provider's answer, and the next step. */
export function failureCard({ error_source, outcome, failure, connection_id }: FullLogRecord): Html | false {
  if (!error_source) return false;
  const { query, detail, provider_body } = failure ?? {};
  return html`<section class="card" aria-label="Why it failed"><div class="card-head"><h2>Why it failed</h2><span class="quiet">Error of: ${errorSources[error_source] ?? error_source}</span></div>
<div class="in stack"><div class="notice bad">${detail ? html`<strong>${detail[0]!.toUpperCase() + detail.slice(1)}</strong>` : html`<strong>${outcome ? outcomeText(outcome) : "No reason was kept"}</strong>`}</div>
${whatToDo(outcome) && html`<p><strong>What to do:</strong> ${whatToDo(outcome)}${connection_id && html` <a href="${BASE}/connections/${connection_id}">Open the connection</a>`}</p>`}
${query && html`<p>Query: ${mono(query)}</p>`}
${provider_body && codeBlock("provider-body", "The provider's answer", readable(provider_body), true)}
${!failure && html`<p class="quiet">Neither query nor answer were kept: FAILURE_DETAILS is off, or the encryption key was changed.</p>`}
</div></section>`;
}
