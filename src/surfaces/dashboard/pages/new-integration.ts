import { Fault } from "../../../contracts/fault.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { field } from "../components/fields.ts";
import { integrationFields, readIntegrationForm } from "../components/integration-form.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readProviders } from "../components/lists.ts";
import { inlineMarkdown } from "../components/markdown.ts";
import { card, copyable, empty, head, hiddenText, tag } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { typeName } from "./integrations.ts";

export interface NewIntegrationOptions {
  sandbox: boolean;
  /** Where a provider's consent page redirects to. */
  callbackUrl: string;
}

const offers: Record<string, string> = { unified: "Unified", proxy: "Proxy only", own: "Your own" };
const isUnified = ({ operations }: ProviderRecord) => operations.length > 0;
const offerOf = (provider: ProviderRecord): string =>
  provider.origin === "workspace" ? "own" : isUnified(provider) ? "unified" : "proxy";

export function newIntegrationRoutes(routes: Routes, { sandbox, callbackUrl }: NewIntegrationOptions): void {
  async function findProvider({ api, params }: PageVisit): Promise<ProviderRecord> {
    const provider = (await readProviders(api)).find(({ id }) => id === params.provider);
    if (!provider) throw new Fault("not_found", "no such provider");
    return provider;
  }

  routes.page("/integrations/new", "admin", async (visit) => {
    const { q = "", category = "", offer = "" } = visit.query;
    const all = (await readProviders(visit.api)).sort((one, other) => one.name.localeCompare(other.name));
    // A category that every provider with operations has does not distinguish them.
    const unified = all.filter(isUnified);
    const isDistinctive = (id: string) => !unified.every((provider) => provider.categories.includes(id));
    const about = ({ categories, subjects }: ProviderRecord) => [...categories.filter(isDistinctive), ...subjects];
    const topics = [...new Set(all.flatMap(about))].sort();
    const wanted = q.trim().toLowerCase();
    const shown = all.filter(
      (provider) =>
        [provider.name.toLowerCase(), provider.id, ...about(provider)].some((text) => text.includes(wanted)) &&
        (category === "" || about(provider).includes(category)) &&
        (offer === "" || offer === offerOf(provider)),
    );
    // The whole catalogue as cards would be a very long page.
    const isWhole = wanted === "" && category === "" && offer === "";
    const inCatalogue = isWhole ? shown.filter((provider) => offerOf(provider) === "proxy") : [];
    const cards = shown.filter((provider) => !inCatalogue.includes(provider));
    return {
      title: "Add an integration",
      section: "integrations",
      content: html`${head({
        title: "Add an integration",
        trail: [["/integrations", "Integrations"]],
        lead: `${all.length} providers: ${unified.length} with the Unified API, the others for the Proxy.${sandbox ? " They can be tried in the sandbox, with made-up data and without an account." : ""}`,
        actions: [visit.link("/new-provider", "Describe another API", "button")],
      })}
<section class="card">
<form method="get" action="${BASE}/integrations/new" class="filters" role="search">
${field({ name: "q", label: "Name", value: q, className: "grow" })}
${field({ name: "category", label: "Category", value: category, options: [["", "All"], ...topics.map((id) => [id, id] as const)] })}
${field({ name: "offer", label: "Offer", value: offer, options: [["", "All"], ...Object.entries(offers)] })}
<button>Search</button>
</form>
<div class="in">${
        shown.length === 0
          ? empty("No provider matches", html`<a href="${BASE}/integrations/new">Show all providers</a>`)
          : html`<ul class="grid plain">${cards.map((provider) => html`<li class="card in entry">${catalogueEntry(visit, provider, about(provider))}</li>`)}</ul>`
      }</div>
</section>
${inCatalogue.length > 0 && card(`For the Proxy (${inCatalogue.length})`, html`<ul class="columns plain">${inCatalogue.map(({ id, name }) => html`<li><a href="${BASE}/integrations/new/${id}">${name}</a></li>`)}</ul>`)}`,
    };
  });

  const catalogueEntry = (visit: PageVisit, provider: ProviderRecord, about: readonly string[]): Html => {
    const { id, name, origin } = provider;
    const title = origin === "built_in" ? name : visit.link(`/providers/${id}`, name);
    return html`<h2>${title}</h2>
<p class="row">${tag(offers[offerOf(provider)]!, isUnified(provider) ? "accent" : "")}${about.map((topic) => tag(topic))}</p>
<div class="row"><a class="button small" href="${BASE}/integrations/new/${id}">Set up${hiddenText(` ${name}`)}</a>
${
  sandbox &&
  origin !== "workspace" &&
  visit.form(
    `/integrations/new/${id}/sandbox`,
    html`<button class="small">Try in sandbox${hiddenText(` ${name}`)}</button>`,
  )
}</div>`;
  };

  async function showForm(visit: PageVisit, sent?: URLSearchParams, problem?: ApiError): Promise<DashboardPage> {
    const provider = await findProvider(visit);
    const chosen = sent?.get("type") ?? visit.query.type ?? "";
    const type = provider.auth_types.includes(chosen) ? chosen : provider.auth_types[0]!;
    const title = `Set up ${provider.name}`;
    return {
      title,
      section: "integrations",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        trail: [
          ["/integrations", "Integrations"],
          ["/integrations/new", "Add"],
        ],
        actions: [
          sandbox &&
            provider.origin !== "workspace" &&
            visit.form(`/integrations/new/${provider.id}/sandbox`, html`<button>Try in the sandbox instead</button>`),
        ],
      })}
${
  provider.auth_types.length > 1 &&
  html`<nav class="row" aria-label="How accounts sign in">${provider.auth_types.map(
    (one) =>
      html`<a class="button${one === type && " primary"}" href="${BASE}/integrations/new/${provider.id}?type=${one}"${one === type && html` aria-current="true"`}>${typeName(one)}</a>`,
  )}</nav>`
}
<div class="halves">
${registration(provider, type, callbackUrl)}
${card(
  "The integration",
  visit.form(
    `/integrations/new/${provider.id}`,
    html`<input type="hidden" name="type" value="${type}">${integrationFields({ provider, type, sent, problem })}
<div><button class="primary">Create the integration</button></div>`,
    { className: "stack" },
  ),
)}
</div>`,
    };
  }

  routes.page("/integrations/new/:provider", "admin", (visit) => showForm(visit));

  routes.action("/integrations/new/:provider", "admin", (visit, form) =>
    create(visit, { ...readIntegrationForm(form), type: form.get("type") ?? "" }, form),
  );

  routes.action("/integrations/new/:provider/sandbox", "admin", async (visit) => {
    const { auth_types, mcp_only } = await findProvider(visit);
    const type = auth_types.includes("oauth2") ? "oauth2" : auth_types[0]!;
    // An MCP server registers its clients by itself, also an emulated one.
    const client = type === "oauth2" && !mcp_only ? { client_id: "sandbox", client_secret: "sandbox" } : {};
    return create(visit, { type, base_url: "sandbox", name: "Sandbox", ...client }, new URLSearchParams({ type }));
  });

  async function create(
    visit: PageVisit,
    fields: Record<string, unknown>,
    sent: URLSearchParams,
  ): Promise<DashboardPage | Redirect> {
    let created: IntegrationRecord | undefined;
    const problem = await problemsOf(async () => {
      created = await visit.api.send("POST", "/platform/v1/integrations", {
        identifier: visit.params.provider,
        ...fields,
      });
    });
    if (problem) return showForm(visit, sent, problem);
    return new Redirect(`/integrations/${created!.id}?done=integration-created`);
  }
}

const registrationText: Record<string, string> = {
  oauth2: "Create an OAuth application there, and give it this redirect URL and these scopes.",
  api_key: "Nothing has to be registered: each user gives their own key when they connect.",
  basic: "Nothing has to be registered: each user gives their own user name and password when they connect.",
  client_credentials:
    "Either register one client there for all connections, or leave the fields empty: each user then gives the ID and the secret of their own client when they connect.",
  two_step: "Nothing has to be registered: each user gives their own credentials when they connect.",
  jwt: "Nothing has to be registered: each user gives their own signing key when they connect.",
  github_app:
    "Register an app there, and give it this redirect URL. Users choose where it is installed when they connect.",
  none: "Nothing has to be registered: the API needs no credentials.",
};

/** What has to exist at the provider first. */
export function registration(provider: ProviderRecord, type: string, callbackUrl: string | null): Html {
  const { url = null, steps = [], scopes = [] } = provider.setup[type] ?? {};
  if (provider.mcp_only) return mcpRegistration(type, callbackUrl);
  return html`<section class="card"><div class="card-head"><h2>At ${provider.name}</h2><a href="${provider.docs}" rel="noopener noreferrer" target="_blank">API documentation${hiddenText(" (opens in a new tab)")}</a></div>
<div class="in stack">
<p>${registrationText[type] ?? registrationText.api_key}</p>
${
  (steps.length > 0 || url) &&
  html`<ol class="steps">${url && html`<li><a href="${url}" rel="noopener noreferrer" target="_blank">Open ${provider.name}${hiddenText(" (opens in a new tab)")}</a></li>`}${steps.map((step) => html`<li>${inlineMarkdown(step)}</li>`)}</ol>`
}
${(type === "oauth2" || type === "github_app") && callbackUrl && copyable("callback-url", "Redirect URL", callbackUrl)}
${scopes.length > 0 && copyable("scopes-to-register", "Scopes", scopes.join(" "))}
</div></section>`;
}

/** What happens when somebody connects to an MCP server. */
const mcpRegistration = (
  type: string,
  callbackUrl: string | null,
): Html => html`<section class="card"><div class="card-head"><h2>At the MCP server</h2></div>
<div class="in stack">
${type === "oauth2" && html`<p>Mostly nothing has to be registered. When somebody connects, the server says how people sign in there: Plugboard registers itself as a client, or is known by its client metadata document, and sends the user to that sign-in.</p><p>If the server registers no clients by itself, create one there with this redirect URL, and enter its ID here.</p>`}
${type === "oauth2" && callbackUrl && copyable("callback-url", "Redirect URL", callbackUrl)}
${type === "api_key" && html`<p>Nothing has to be registered: each user gives their own key when they connect. It is sent as <code>Authorization: Bearer</code>.</p>`}
${type === "none" && html`<p>For servers that everybody can use: nothing is asked for.</p>`}
<p>Its tools are then at <code>/mcp</code>, with the connection's credentials.</p>
</div></section>`;
