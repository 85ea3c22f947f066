import { type Html, html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { integrationFields, readIntegrationForm } from "../components/integration-form.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readProviders } from "../components/lists.ts";
import { inlineMarkdown } from "../components/markdown.ts";
import { card, copyable, exactTime, facts, head, mono } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { target, typeName } from "./integrations.ts";
import { registration } from "./new-integration.ts";

/** How the provider's own webhooks start subscriptions, and what has to be done for it. */
function webhookCard(
  visit: PageVisit,
  provider: ProviderRecord,
  { id, type, hook_url, has_hook_secret }: IntegrationRecord,
  token: string | undefined,
): Html | false {
  const { per, note, steps, sends_secret } = provider.setup[type]!.webhooks;
  const texts = {
    connection: `Each connection makes webhooks at ${provider.name} for its subscriptions, so that changes arrive at once.`,
    application: `${provider.name} sends the webhooks of all accounts to one address, so that changes arrive at once.`,
    none: "Subscriptions read lists at their interval.",
  };
  return card(
    "Webhooks",
    html`<div class="stack"><p>${texts[per]}${note && html` ${per === "none" ? `The reason: ${note}.` : note}`}</p>
${steps.length > 0 && html`<ol class="steps">${steps.map((step) => html`<li>${inlineMarkdown(step)}</li>`)}</ol>`}
${hook_url && copyable("hook-url", "Address for webhooks", hook_url)}
${sends_secret && has_hook_secret && !token && visit.form(`/integrations/${id}/hook-secret`, html`<button>Show the verification token</button>`)}
${token && copyable("hook-secret", "Verification token", token)}</div>`,
  );
}

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

  async function show(
    visit: PageVisit,
    { sent, problem, token }: { sent?: URLSearchParams; problem?: ApiError; token?: string } = {},
  ): Promise<DashboardPage> {
    const { integration, provider } = await read(visit);
    const { id, type, base_url, scopes } = integration;
    const title = titleOf(integration, provider);
    const { needs = [], takes = [] } = provider?.setup[type] ?? {};
    const hasField = (name: string) => needs.includes(name) || takes.includes(name);
    const settingLabel = (name: string) => provider?.settings.find((one) => one.name === name)?.label ?? name;
    return {
      title,
      section: "integrations",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        trail: [["/integrations", "Integrations"]],
        actions: [
          visit.link(`/connect?integration=${id}`, "Connect an account", "button primary"),
          visit.link(`/connections?provider=${integration.identifier}`, "Connections", "button"),
          visit.link(`/integrations/${id}/delete`, "Delete", "button danger"),
        ],
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
  ["Client secret", hasField("client_secret") && (integration.has_client_secret ? "Stored, encrypted" : "None")],
  ["Private key", hasField("private_key") && (integration.has_private_key ? "Stored, encrypted" : "None")],
  ["Secret of webhooks", hasField("hook_secret") && (integration.has_hook_secret ? "Stored, encrypted" : "None")],
  ...Object.entries(integration.settings).map(([name, value]) => [settingLabel(name), mono(value)] as const),
  ["Scopes", hasField("scopes") && (scopes ? scopes.join(" ") || "None" : "The provider's default")],
  ["Proxy base address", integration.proxy_base_url && mono(integration.proxy_base_url)],
  ["MCP server", integration.mcp_url && mono(integration.mcp_url)],
  ["Created", exactTime(integration.created_at)],
])}
</div></section>
${provider && base_url !== "sandbox" && registration(provider, type, integration.callback_url)}
${provider && webhookCard(visit, provider, integration, token)}
</div>
${
  provider &&
  card(
    "Change it",
    visit.form(
      `/integrations/${id}`,
      html`<input type="hidden" name="type" value="${type}">${integrationFields({ provider, type, current: integration, sent, problem })}<div><button>Save</button></div>`,
      { className: "stack" },
    ),
  )
}
</div>`,
    };
  }

  routes.page("/integrations/:id", "viewer", (visit) => show(visit));

  routes.action("/integrations/:id", "admin", async (visit, form) => {
    const path = `/integrations/${encodeURIComponent(visit.params.id!)}`;
    const { client_secret, private_key, hook_secret, ...others } = readIntegrationForm(form);
    // Empty keeps the stored ones, which no page shows.
    const change = {
      ...others,
      ...(client_secret ? { client_secret } : {}),
      ...(private_key ? { private_key } : {}),
      ...(hook_secret ? { hook_secret } : {}),
      // There is no secret without a client.
      ...(others.client_id === null ? { client_secret: null } : {}),
    };
    const problem = await problemsOf(() => visit.api.send("PATCH", `/platform/v1${path}`, change));
    return problem ? show(visit, { sent: form, problem }) : new Redirect(`${path}?done=saved`);
  });

  routes.action("/integrations/:id/hook-secret", "admin", async (visit) => {
    const path = `/platform/v1/integrations/${encodeURIComponent(visit.params.id!)}/hook-secret`;
    const { hook_secret } = await visit.api.get<{ hook_secret: string }>(path);
    return show(visit, { token: hook_secret });
  });

  routes.page("/integrations/:id/delete", "admin", async (visit) => {
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

  routes.action("/integrations/:id/delete", "admin", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/integrations/${encodeURIComponent(params.id!)}`);
    return new Redirect("/integrations?done=integration-deleted");
  });
}
