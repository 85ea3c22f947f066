import { type Html, html } from "../../../runtime/html.ts";
import type { Api, ApiQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { hiddenText } from "./ui.ts";

/** Whether a list has an entry. */
const hasAny = async (api: Api, list: string, query: ApiQuery = {}): Promise<boolean> =>
  (await api.get<unknown[]>(`/platform/v1/${list}`, { ...query, limit: 1 })).length > 0;

/** What to do first, each step ticked when it is done; nothing from when on there is a key and calls are made. */
export async function firstSteps(api: Api): Promise<Html | false> {
  const [hasKey, hasCall] = await Promise.all([
    hasAny(api, "api-keys"),
    hasAny(api, "logs", { surface: "unified", status: "2xx" }),
  ]);
  if (hasKey && hasCall) return false;
  const [hasIntegration, hasConnection] = await Promise.all([hasAny(api, "integrations"), hasAny(api, "connections")]);
  const step = (isDone: boolean, path: string, link: string, text: string) =>
    html`<li class="${isDone && "done"}">${isDone && hiddenText("Done: ")}<span><a href="${BASE}${path}">${link}</a> ${text}</span></li>`;
  return html`<section class="card in stack" aria-labelledby="first-steps"><h2 id="first-steps">First steps</h2><ol class="checklist">
${step(hasIntegration, "/integrations/new", "Add an integration", "from the catalogue, or try a provider in the sandbox.")}
${step(hasConnection, "/connect", "Connect an account", "with a link.")}
${step(hasCall, "/explorer", "Make a call", "over the connection, here or with curl.")}
${step(hasKey, "/keys", "Create an API key", "for your application.")}
</ol><p class="quiet">The <a href="/docs/guides/quickstarts">quickstarts</a> have a whole application to copy.</p></section>`;
}
