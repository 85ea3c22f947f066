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
import { copyable, empty, head, hiddenText, tag } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { typeName } from "./integrations.ts";

export interface NewIntegrationOptions {
  sandbox: boolean;
  /** Where a provider's consent page redirects to. */
  callbackUrl: string;
}

export function newIntegrationRoutes(routes: Routes, { sandbox, callbackUrl }: NewIntegrationOptions): void {
  async function findProvider({ api, params }: PageVisit): Promise<ProviderRecord> {
    const provider = (await readProviders(api)).find(({ id }) => id === params.provider);
    if (!provider) throw new Fault("not_found", "no such provider");
    return provider;
  }

  routes.page("/integrations/new", async (visit) => {
    const { q = "", category = "" } = visit.query;
    const all = (await readProviders(visit.api)).sort((one, other) => one.name.localeCompare(other.name));
    const categories = [...new Set(all.flatMap((provider) => provider.categories))].sort();
    // A category that every provider has does not distinguish them.
    const distinctive = categories.filter((id) => !all.every((provider) => provider.categories.includes(id)));
    const wanted = q.trim().toLowerCase();
    const shown = all.filter(
      (provider) =>
        (wanted === "" || provider.name.toLowerCase().includes(wanted) || provider.id.includes(wanted)) &&
        (category === "" || provider.categories.includes(category)),
    );
    return {
      title: "Add an integration",
      section: "integrations",
      content: html`${head({
        title: "Add an integration",
        trail: [["/integrations", "Integrations"]],
        lead: `${all.length} providers${sandbox ? ". Each can be tried in the sandbox, with made-up data and without an account" : ""}.`,
      })}
<section class="card">
<form method="get" action="${BASE}/integrations/new" class="filters" role="search">
${field({ name: "q", label: "Name", value: q, className: "grow" })}
${field({ name: "category", label: "Category", value: category, options: [["", "All"], ...categories.map((id) => [id, id] as const)] })}
<button>Search</button>
</form>
<div class="in">${
        shown.length === 0
          ? empty("No provider matches", html`<a href="${BASE}/integrations/new">Show all providers</a>`)
          : html`<ul class="grid plain">${shown.map((provider) => html`<li class="card in entry">${catalogueEntry(visit, provider, distinctive)}</li>`)}</ul>`
      }</div>
</section>`,
    };
  });

  const catalogueEntry = (
    visit: PageVisit,
    { id, name, categories }: ProviderRecord,
    distinctive: readonly string[],
  ): Html => html`<h2>${name}</h2>
<p class="row">${categories.filter((category) => distinctive.includes(category)).map((category) => tag(category))}</p>
<div class="row"><a class="button small" href="${BASE}/integrations/new/${id}">Set up${hiddenText(` ${name}`)}</a>
${
  sandbox &&
  visit.form(
    `/integrations/new/${id}/sandbox`,
    html`<button class="small">Try in sandbox${hiddenText(` ${name}`)}</button>`,
  )
}</div>`;

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
        actions:
          sandbox &&
          visit.form(`/integrations/new/${provider.id}/sandbox`, html`<button>Try in the sandbox instead</button>`),
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
<section class="card"><div class="card-head"><h2>The integration</h2></div><div class="in">
${visit.form(
  `/integrations/new/${provider.id}`,
  html`<input type="hidden" name="type" value="${type}">${integrationFields({ provider, type, sent, problem })}
<div><button class="primary">Create the integration</button></div>`,
  { className: "stack" },
)}
</div></section>
</div>`,
    };
  }

  routes.page("/integrations/new/:provider", (visit) => showForm(visit));

  routes.action("/integrations/new/:provider", (visit, form) =>
    create(visit, { ...readIntegrationForm(form), type: form.get("type") ?? "" }, form),
  );

  routes.action("/integrations/new/:provider/sandbox", async (visit) => {
    const { auth_types } = await findProvider(visit);
    const type = auth_types.includes("oauth2") ? "oauth2" : auth_types[0]!;
    const client = type === "oauth2" ? { client_id: "sandbox", client_secret: "sandbox" } : {};
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

/** What has to exist at the provider first. */
export function registration(provider: ProviderRecord, type: string, callbackUrl: string | null): Html {
  const { url = null, steps = [], scopes = [] } = provider.setup[type] ?? {};
  return html`<section class="card"><div class="card-head"><h2>At ${provider.name}</h2><a href="${provider.docs}" rel="noopener noreferrer" target="_blank">API documentation${hiddenText(" (opens in a new tab)")}</a></div>
<div class="in stack">
${type === "oauth2" ? html`<p>Create an OAuth application there, and give it this redirect URL and these scopes.</p>` : html`<p>Nothing has to be registered: each user gives their own ${type === "basic" ? "user name and password" : "key"} when they connect.</p>`}
${
  (steps.length > 0 || url) &&
  html`<ol class="steps">${url && html`<li><a href="${url}" rel="noopener noreferrer" target="_blank">Open ${provider.name}${hiddenText(" (opens in a new tab)")}</a></li>`}${steps.map((step) => html`<li>${inlineMarkdown(step)}</li>`)}</ol>`
}
${type === "oauth2" && callbackUrl && copyable("callback-url", "Redirect URL", callbackUrl)}
${scopes.length > 0 && copyable("scopes-to-register", "Scopes", scopes.join(" "))}
</div></section>`;
}
