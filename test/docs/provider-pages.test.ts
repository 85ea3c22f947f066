// docs/providers: every provider has its page, made from its manifest, and the page has what a user needs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { categories } from "../../src/categories/index.ts";
import { addressTemplate, authTypes, baseUrl, ownBaseUrl, requestAddresses } from "../../src/contracts/manifest.ts";
import { resolveAddress } from "../../src/engine/connection/address.ts";
import { isValidSetting } from "../../src/engine/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, "docs/providers", file), "utf8");

it("every example of a setting is one that the setting's own pattern accepts", () => {
  const settings = providers.flatMap(({ manifest }) =>
    Object.entries(manifest.settings ?? {}).map(([name, setting]) => ({ name: `${manifest.id} ${name}`, ...setting })),
  );
  expect(settings.some(({ placeholder }) => placeholder)).toBe(true);
  for (const { name, placeholder = "", ...setting } of settings)
    expect([name, isValidSetting(setting, placeholder)]).toEqual([name, placeholder !== ""]);
});

describe.each(providers.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  const { manifest } = provider;
  const page = () => read(`${id}.md`);

  it(`${id} has a page that the index links to`, () => {
    expect(read("README.md")).toContain(`| [${manifest.name}](${id}.md) | \`${id}\` |`);
    expect(page()).toContain(`# ${manifest.name}\n`);
  });

  it(`${id} says how each of its auth types is set up`, () => {
    for (const type of authTypes(manifest)) expect(page()).toContain(`(\`${type}\`)\n`);
    const { oauth2, api_key, basic } = manifest.auth;
    if (oauth2) {
      expect(page()).toContain("`{AUTH_URL}/callback`");
      for (const scope of oauth2.scopes) expect(page()).toContain(`\`${scope}\``);
      if (!oauth2.discovered) expect(oauth2.app?.url, "auth.oauth2.app of the manifest").toMatch(/^https:/);
      for (const step of oauth2.app?.steps ?? []) expect(page()).toContain(`. ${step}\n`);
    }
    for (const form of [api_key, basic]) if (form) expect(page()).toContain(`<${form.help}>`);
  });

  it(`${id} names its settings with patterns, its notes, its MCP server and its operations`, () => {
    for (const [name, { pattern }] of Object.entries(manifest.settings ?? {})) {
      expect(page()).toContain(`| \`${name}\` |`);
      expect(page()).toContain(`\`${pattern.replaceAll("|", "\\|")}\``);
    }
    for (const note of manifest.notes ?? []) expect(page()).toContain(`- ${note}\n`);
    for (const type of manifest.mcpOnly ? [] : authTypes(manifest))
      expect(page()).toContain(`\`${addressTemplate(manifest, "mcp", type) ?? "mcp_not_supported"}\``);
    for (const { category, operations } of provider.categories)
      for (const { name, route, method } of categories.find((one) => one.id === category)!.bound)
        expect(page().includes(`\`${method} /unified${route.replace(/:(\w+)/g, "{$1}")}\``), name).toBe(
          name in operations,
        );
  });

  it(`${id} names every address that the Proxy reaches, and none of OAuth or MCP`, () => {
    const { authorize, token, revoke } = manifest.auth.oauth2 ?? {};
    const reached = requestAddresses(manifest);
    expect(reached).toContain("api");
    for (const name of [authorize, token, typeof revoke === "object" ? revoke.address : "revoke", "mcp"])
      expect(reached).not.toContain(name);
    const shown = [...page().matchAll(/^\| `\/proxy\/@(\w+)` \| `(.+?)`/gm)].map(([, name, url]) => [name, url]);
    expect(shown).toEqual(reached.filter((name) => name !== "api").map((name) => [name, manifest.addresses[name]]));
  });

  it.each(authTypes(manifest))(`${id} has the base addresses that the Proxy uses with %s`, (type) => {
    const settings = Object.fromEntries(
      Object.entries(manifest.settings ?? {}).map(([name, { placeholder }]) => [name, placeholder ?? `my-${name}`]),
    );
    const filled = (template: string) =>
      template.replace(/\{(\w+)\}/g, (_, name) => (name === "base_url" ? "https://own.example" : settings[name]!));
    const resolved = (base_url: string | null) => {
      const { origin, path } = resolveAddress(manifest, "api", { type, base_url, mcp_url: null }, settings, undefined)!;
      return origin + path;
    };
    expect(page()).toContain(`\`${baseUrl(manifest, type)}\``);
    if (manifest.mcpOnly) return;
    expect(page()).toContain(`\`${ownBaseUrl(manifest, type)}\``);
    expect(filled(ownBaseUrl(manifest, type))).toBe(resolved("https://own.example"));
    if (!manifest.selfHostedOnly) expect(filled(baseUrl(manifest, type))).toBe(resolved(null));
  });
});

describe("GET /platform/v1/providers", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service?.close());

  it("GET /platform/v1/providers has the base address of every auth type", async () => {
    const { body } = await createPlatform(service, service.apiKey)("GET", "/v1/providers");
    for (const { manifest } of providers) {
      const described = body.find(({ id }: { id: string }) => id === manifest.id);
      expect(described.base_urls).toEqual(
        Object.fromEntries(authTypes(manifest).map((type) => [type, baseUrl(manifest, type)])),
      );
      expect(Object.keys(described.base_urls)).toEqual(described.auth_types);
    }
  });
});
