import { type Html, html } from "../../../runtime/html.ts";
import type { ApiAnswer } from "../api.ts";
import { BASE } from "../base.ts";
import { errorText, isProvidersAnswer } from "../unified-call.ts";
import { providerAdvice } from "./failure.ts";
import { codeBlock, prettyJson, statusTag } from "./ui.ts";

interface Success {
  response?: { data?: unknown; _raw?: unknown };
}

const requestLink = (answer: ApiAnswer): Html =>
  html`<a href="${BASE}/requests?request_id=${encodeURIComponent(String(answer.headers["x-request-id"]))}">In the request log</a>`;

/** What a call returned: our record next to what the provider sent. */
export function callResult(answer: ApiAnswer, what: string, headerPrefix: string): Html {
  const { status, body } = answer;
  if (status < 400) {
    const { response = {} } = body as Success;
    const { _raw: raw, ...normalized } = response;
    return html`<section class="card" aria-label="Result"><div class="card-head"><h2 id="result">${what} succeeded</h2><span class="row">${statusTag(status)}${requestLink(answer)}</span></div>
<div class="in halves">${codeBlock("normalized", "Normalized", prettyJson(normalized))}${
      raw !== undefined && codeBlock("raw", "The provider's own answer", prettyJson(raw))
    }</div></section>`;
  }
  const isProviders = isProvidersAnswer(answer, headerPrefix);
  return html`<section class="card" aria-label="Result"><div class="card-head"><h2 id="result">${what} failed</h2><span class="row">${statusTag(status)}${requestLink(answer)}</span></div>
<div class="in stack"><div class="notice bad" role="alert">${
    isProviders
      ? html`The provider answered with ${status}. This is its own answer, unchanged.`
      : html`Plugboard answered with ${status}: ${errorText(answer)}`
  }</div>
${isProviders && html`<p><strong>What to do:</strong> ${providerAdvice(status)}</p>`}
${codeBlock("raw", isProviders ? "The provider's own answer" : "The answer", prettyJson(body), true)}</div></section>`;
}
