import { html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { integrationFields, readIntegrationForm } from "../components/integration-form.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readProviders } from "../components/lists.ts";
import { exactTime, facts, head, mono } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { target, typeName } from "./integrations.ts";
import { registration } from "./new-integration.ts";

export function integrationRoutes(routes: Routes): void {
  async function read({
    api,
    params,
  }: PageVisit): Promise<{ integration: IntegrationRecord; provider: ProviderRecord | undefined }> {
    const [integration, providers] = await Promise.all([
      api.get<IntegrationRecord>(`/platform/v1/integrations/${encodeURIComponent(params.id!)}`),
      readProviders(api),
    ]);
    return { integration, provider: providers.find(({ id }) => id === integration.identifier) };
  }

  const titleOf = ({ identifier, name }: IntegrationRecord, provider: ProviderRecord | undefined) =>
    [provider?.name ?? identifier, name].filter(Boolean).join(": ");

  async function show(visit: PageVisit, sent?: URLSearchParams, problem?: ApiError): Promise<DashboardPage> {
    const { integration, provider } = await read(visit);
    const { id, type, base_url, scopes } = integration;
    const title = titleOf(integration, provider);
    return {
      title,
      section: "integrations",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        trail: [["/integrations", "Integrations"]],
        actions: html`<a class="button primary" href="${BASE}/connect?integration=${id}">Connect an account</a>
<a class="button" href="${BASE}/connections?provider=${integration.identifier}">Connections</a>
<a class="button danger" href="${BASE}/integrations/${id}/delete">Delete</a>`,
      })}
<div class="halves">
<div class="stack wide">
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">
${facts([
  ["Integration id", mono(id)],
  ["Provider", provider?.name ?? integration.identifier],
  ["Sign-in", typeName(type)],
  ["Talks to", target(integration)],
  ["Client ID", integration.client_id && mono(integration.client_id)],
  ["Client secret", type === "oauth2" && (integration.has_client_secret ? "Stored, encrypted" : "None")],
  ["Scopes", type === "oauth2" && (scopes ? scopes.join(" ") : "The provider's default")],
  ["Proxy base address", integration.proxy_base_url && mono(integration.proxy_base_url)],
  ["MCP server", integration.mcp_url && mono(integration.mcp_url)],
  ["Created", exactTime(integration.created_at)],
])}
</div></section>
${provider && base_url !== "sandbox" && registration(provider, type, integration.callback_url)}
</div>
${
  provider &&
  html`<section class="card"><div class="card-head"><h2>Change it</h2></div><div class="in">
${visit.form(
  `/integrations/${id}`,
  html`<input type="hidden" name="type" value="${type}">${integrationFields({ provider, type, current: integration, sent, problem })}<div><button>Save</button></div>`,
  { className: "stack" },
)}
</div></section>`
}
</div>`,
    };
  }

  routes.page("/integrations/:id", (visit) => show(visit));

  routes.action("/integrations/:id", async (visit, form) => {
    const path = `/integrations/${encodeURIComponent(visit.params.id!)}`;
    const { client_secret, ...others } = readIntegrationForm(form);
    // Empty keeps the stored one, which no page shows.
    const change = client_secret ? { ...others, client_secret } : others;
    const problem = await problemsOf(() => visit.api.send("PATCH", `/platform/v1${path}`, change));
    return problem ? show(visit, form, problem) : new Redirect(`${path}?done=saved`);
  });

  routes.page("/integrations/:id/delete", async (visit) => {
    const { integration, provider } = await read(visit);
    const name = titleOf(integration, provider);
    return {
      title: `Delete ${name}?`,
      section: "integrations",
      content: html`${head({
        title: `Delete ${name}?`,
        trail: [
          ["/integrations", "Integrations"],
          [`/integrations/${integration.id}`, name],
        ],
      })}
<section class="card in stack"><p>Its connections are kept, but none of them can be used any more.</p>
${visit.form(
  `/integrations/${integration.id}/delete`,
  html`<button class="danger">Delete the integration</button><a class="button" href="${BASE}/integrations/${integration.id}">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  });

  routes.action("/integrations/:id/delete", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/integrations/${encodeURIComponent(params.id!)}`);
    return new Redirect("/integrations?done=integration-deleted");
  });
}
