import { type Html, html } from "../../../runtime/html.ts";
import type { Api, ApiQuery } from "../api.ts";
import type { PageVisit } from "../routes.ts";
import { hiddenText } from "./ui.ts";

/** Whether a list has an entry. */
const hasAny = async (api: Api, list: string, query: ApiQuery = {}): Promise<boolean> =>
  (await api.get<unknown[]>(`/platform/v1/${list}`, { ...query, limit: 1 })).length > 0;

/**
 * What to do first, each step ticked when it is done; nothing from when on there is a key and calls are made. Steps that
 * somebody with another role has to do are left out.
 */
export async function firstSteps({ api, link, mayOpen, maySend }: PageVisit): Promise<Html | false> {
  const [hasKey, hasCall] = await Promise.all([
    hasAny(api, "api-keys"),
    hasAny(api, "logs", { surface: "unified", status: "2xx" }),
  ]);
  if (hasKey && hasCall) return false;
  const [hasIntegration, hasConnection] = await Promise.all([hasAny(api, "integrations"), hasAny(api, "connections")]);
  const all: [isDone: boolean, path: string, name: string, text: string][] = [
    [
      hasIntegration,
      "/integrations/new",
      "Add an integration",
      "from the catalogue, or try a provider in the sandbox.",
    ],
    [hasConnection, "/connect", "Connect an account", "with a link."],
    [hasCall, "/explorer", "Make a call", "over the connection, here or with curl."],
    [hasKey, "/keys", "Create an API key", "that allows what your application does, and no more."],
  ];
  const steps = all.filter(([, path]) => mayOpen(path) && (path !== "/keys" || maySend(path)));
  if (steps.every(([isDone]) => isDone)) return false;
  return html`<section class="card in stack" aria-labelledby="first-steps"><h2 id="first-steps">First steps</h2><ol class="checklist">
${steps.map(
  ([isDone, path, name, text]) =>
    html`<li class="${isDone && "done"}">${isDone && hiddenText("Done: ")}<span>${link(path, name)} ${text}</span></li>`,
)}
</ol><p class="quiet">The <a href="/docs/guides/quickstarts">quickstarts</a> have a whole application to copy.</p></section>`;
}
