import { type Html, html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import { BASE } from "../base.ts";
import { providerNames, readPage } from "../components/lists.ts";
import { breakable, empty, head, pager, table, tag, time } from "../components/ui.ts";
import type { Routes } from "../routes.ts";

const PAGE_SIZE = 50;

export const typeNames: Record<string, string> = {
  oauth2: "OAuth",
  api_key: "API key",
  basic: "User name and password",
  client_credentials: "Client credentials",
  two_step: "Login request",
  jwt: "Signed token (JWT)",
  github_app: "GitHub App",
  none: "No sign-in",
};
export const typeName = (type: string): string => typeNames[type] ?? type;

/** What it talks to: the provider itself, an own server, or the emulator. */
export const target = ({
  base_url,
  mcp_url,
  proxy_base_url,
}: Pick<IntegrationRecord, "base_url" | "mcp_url" | "proxy_base_url">): Html => {
  const address = base_url ?? (proxy_base_url === mcp_url ? mcp_url : null);
  if (address === null) return html`The provider`;
  return address === "sandbox" ? tag("Sandbox", "accent") : html`<span class="mono">${address}</span>`;
};

export function integrationListRoutes(routes: Routes): void {
  routes.page("/integrations", "viewer", async ({ api, query: { after }, link }) => {
    const [{ rows, next }, names] = await Promise.all([
      readPage<IntegrationRecord>(api, "/platform/v1/integrations", { after }, PAGE_SIZE),
      providerNames(api),
    ]);
    const fromCatalogue = link("/integrations/new", "Add one from the catalogue");
    return {
      title: "Integrations",
      section: "integrations",
      content: html`${head({
        title: "Integrations",
        lead: "The providers that accounts can be connected to, each with its OAuth application or way to sign in.",
        actions: [
          link("/integrations/new", "Add an integration", "button primary"),
          link("/providers", "Own providers", "button"),
        ],
      })}
<section class="card">
${
  rows.length === 0
    ? empty("No integrations yet", fromCatalogue && html`${fromCatalogue}: a provider in the sandbox takes one click.`)
    : table(
        "Integrations",
        [
          {
            label: "Provider",
            cell: ({ id, identifier, name }) =>
              html`<a href="${BASE}/integrations/${id}">${names.get(identifier) ?? identifier}</a>${name && html`<span class="quiet">${breakable(name)}</span>`}`,
          },
          { label: "Sign-in", cell: ({ type }) => typeName(type) },
          { label: "Talks to", cell: (integration) => target(integration) },
          { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
        ],
        rows,
      )
}
${pager(`${rows.length} integrations`, { first: after && "/integrations", next: next && `/integrations?after=${next}` })}
</section>`,
    };
  });
}
