import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { addressTemplate, hostedApiPath, type Manifest, ownBaseUrl } from "../../contracts/manifest.ts";

/** An address, split for the HTTP client. `path` has no trailing slash. */
export interface Address {
  origin: string;
  path: string;
}

/** The value of an integration's `base_url` that selects the emulated provider. */
export const SANDBOX = "sandbox";

export function parseAddress(url: string): Address {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/+$/, "") };
}

/** An address that is called exactly as it is written. */
export function exactAddress(url: string): Address {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname === "/" && !search ? "" : pathname + search };
}

/** The names of the settings in a template. */
const placeholders = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Whether a template can be filled. */
export const hasSettings = (template: string, settings: Record<string, string>) =>
  placeholders(template).every((name) => settings[name] !== undefined);

export function fill(template: string, settings: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = settings[name];
    // A workspace may have changed its own provider since.
    if (value === undefined)
      throw new Fault("refresh_failed", `the connection lacks the setting "${name}": the user has to connect again`);
    return value;
  });
}

/** Headers or parameters with their settings filled in, without those whose settings are missing. */
export const fillAll = (
  templates: Record<string, string> = {},
  settings: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(templates).flatMap(([name, template]) =>
      hasSettings(template, settings) ? [[name, fill(template, settings)]] : [],
    ),
  );

/** What the Proxy appends paths to, with `{name}` for each setting of a connection. Null while the sandbox is off. */
export function proxyBaseUrl(
  manifest: Manifest,
  { type, base_url, mcp_url }: Pick<Integration, "type" | "base_url" | "mcp_url">,
  sandboxUrl: string | undefined,
): string | null {
  if (manifest.mcpOnly && base_url === null) return mcp_url;
  if (base_url === null) return addressTemplate(manifest, "api", type) ?? null;
  if (base_url !== SANDBOX) return ownBaseUrl(manifest, type).replace("{base_url}", () => base_url.replace(/\/+$/, ""));
  return sandboxUrl ? `${sandboxUrl}/${manifest.id}${hostedApiPath(manifest, type)}` : null;
}

/**
 * One of the manifest's addresses for an integration: at the provider, on a self-hosted server, or in the sandbox. The
 * path is the same in each case, unless the manifest has another one for self-hosted servers.
 */
export function resolveAddress(
  manifest: Manifest,
  name: string,
  integration: Pick<Integration, "type" | "base_url" | "mcp_url">,
  settings: Record<string, string>,
  sandboxUrl: string | undefined,
): Address | undefined {
  if (name === "mcp" && integration.mcp_url) return exactAddress(integration.mcp_url);
  if (manifest.mcpOnly && integration.base_url === null)
    return name === "api" && integration.mcp_url ? parseAddress(integration.mcp_url) : undefined;
  const template = addressTemplate(manifest, name, integration.type);
  if (template === undefined) return undefined;
  const hosted = parseAddress(fill(template, settings));
  const base = integration.base_url;
  if (base === null) return hosted;
  if (base === SANDBOX) {
    if (!sandboxUrl) throw new Fault("upstream_forbidden", "the sandbox is off");
    return parseAddress(`${sandboxUrl}/${manifest.id}${hosted.path}`);
  }
  const ownPath = manifest.selfHosted?.[name];
  return parseAddress(base.replace(/\/+$/, "") + (ownPath === undefined ? hosted.path : fill(ownPath, settings)));
}
