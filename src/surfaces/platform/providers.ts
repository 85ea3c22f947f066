import Type from "typebox";
import { type AuthType, authTypes, baseUrl, type Manifest, mcpAuthTypes } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { ProviderRecord } from "../shared/platform-records/provider.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute } from "./route.ts";

export function providerRoutes(app: PlatformApp, { engine }: PlatformOptions): void {
  const route = describeRoute("Providers");
  app.get(
    "/v1/providers",
    {
      schema: route("listProviders", "List providers", {
        200: Type.Array(ProviderRecord),
        description: "All providers that integrations can be created for, in one response.",
      }),
    },
    async () => [...engine.providers.values()].map(describeProvider),
  );
}

export function describeProvider({ manifest, categories, fields = {} }: Provider) {
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
    settings: Object.entries(manifest.settings ?? {}).map(([name, { label, hint, placeholder, pattern }]) => ({
      name,
      label,
      hint: hint ?? null,
      placeholder: placeholder ?? null,
      pattern,
    })),
    base_urls: Object.fromEntries(authTypes(manifest).map((type) => [type, baseUrl(manifest, type)])),
    setup: Object.fromEntries(authTypes(manifest).map((type) => [type, describeSetup(manifest, type)])),
    self_hosted_only: manifest.selfHostedOnly ?? false,
    mcp: mcpAuthTypes(manifest).length > 0,
  };
}

function describeSetup({ auth }: Manifest, type: AuthType) {
  if (type === "oauth2")
    return {
      url: auth.oauth2?.app?.url ?? null,
      steps: auth.oauth2?.app?.steps ?? [],
      scopes: auth.oauth2?.scopes ?? [],
    };
  const form = type === "api_key" ? auth.api_key : auth.basic;
  return { url: form?.help ?? null, steps: (type === "api_key" && auth.api_key?.steps) || [], scopes: [] };
}
