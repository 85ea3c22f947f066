import type { AuthType } from "../../contracts/authentication.ts";
import type { StoredProvider } from "../../contracts/entities.ts";
import { authTypes, baseUrl, hooksOf, issuedTokens, type Manifest, mcpAuthTypes } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { fieldsOf } from "./integration-checks.ts";

/** What a provider offers, as the Platform API shows it. */
export function describeProvider({ manifest, categories, fields = {}, origin = "built_in" }: Provider) {
  return {
    id: manifest.id,
    name: manifest.name,
    docs: manifest.docs,
    auth_types: authTypes(manifest),
    categories: categories.map(({ category }) => category),
    operations: categories.flatMap(({ category, operations }) =>
      Object.keys(operations).map((name) => `${category}.${name}`),
    ),
    fields,
    settings: Object.entries(manifest.settings ?? {}).map(([name, setting]) => ({
      name,
      label: setting.label,
      hint: setting.hint ?? null,
      placeholder: setting.placeholder ?? null,
      pattern: setting.pattern,
      choices: setting.choices ? [...setting.choices] : null,
      set_by: setting.ofIntegration ? "integration" : "user",
      optional: setting.optional ?? false,
      auth_types: setting.askedWith ?? authTypes(manifest),
    })),
    base_urls: Object.fromEntries(authTypes(manifest).map((type) => [type, baseUrl(manifest, type)])),
    setup: Object.fromEntries(authTypes(manifest).map((type) => [type, describeSetup(manifest, type)])),
    self_hosted_only: manifest.selfHostedOnly ?? false,
    mcp_only: manifest.mcpOnly ?? false,
    mcp: mcpAuthTypes(manifest).length > 0,
    origin,
    subjects: [...(manifest.subjects ?? [])],
  };
}

/** The same with its document, and since when the workspace has it. */
export const describeFully = (provider: Provider, stored: StoredProvider | undefined) => ({
  ...describeProvider(provider),
  document: provider.document ?? null,
  created_at: stored?.created_at ?? null,
  updated_at: stored?.updated_at ?? null,
});

/** What starts subscriptions besides their interval. */
function describeWebhooks(manifest: Manifest, type: AuthType) {
  const hooks = hooksOf(manifest, type) ?? { per: "none" as const, because: "Plugboard does not know any" };
  const note = hooks.per === "none" ? hooks.because : hooks.per === "connection" ? hooks.needs : undefined;
  return {
    per: hooks.per,
    note: note ?? null,
    steps: hooks.per === "application" ? [...hooks.steps] : [],
    sends_secret: hooks.per === "application" && hooks.handshake?.isSecret === true,
    lists: hooks.per === "none" ? [] : Object.keys(hooks.lists),
  };
}

function describeSetup(manifest: Manifest, type: AuthType) {
  const { oauth2, api_key, basic } = manifest.auth;
  const fields = { ...fieldsOf(manifest, type), webhooks: describeWebhooks(manifest, type) };
  if (type === "oauth2") {
    const { app, scopes = [] } = oauth2 ?? {};
    return { url: app?.url ?? null, steps: app?.steps ?? [], scopes, ...fields };
  }
  const form = issuedTokens(manifest, type) ?? (type === "basic" ? basic : api_key);
  const steps = form && "steps" in form ? (form.steps ?? []) : [];
  return { url: (type !== "none" && form?.help) || null, steps, scopes: [], ...fields };
}
