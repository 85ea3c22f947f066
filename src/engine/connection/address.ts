import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { addressTemplate, type Manifest } from "../../contracts/manifest.ts";

/** An address split as the HTTP client wants it. `path` has no slash at its end. */
export interface Address {
  origin: string;
  path: string;
}

/** The value of an integration's `base_url` that stands for the emulated provider. */
export const SANDBOX = "sandbox";

export function parseAddress(url: string): Address {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/+$/, "") };
}

function fill(template: string, settings: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = settings[name];
    if (value === undefined) throw new Fault("internal", `the connection lacks the setting "${name}"`);
    return value;
  });
}

/**
 * Where one of the manifest's addresses is for an integration: as the manifest has it, on a server of the user's own,
 * or in the sandbox. The path stays the provider's in each case.
 */
export function resolveAddress(
  manifest: Manifest,
  name: string,
  integration: Pick<Integration, "type" | "base_url" | "mcp_url">,
  settings: Record<string, string>,
  sandboxUrl: string | undefined,
): Address | undefined {
  if (name === "mcp" && integration.mcp_url) return parseAddress(integration.mcp_url);
  const template = addressTemplate(manifest, name, integration.type);
  if (template === undefined) return undefined;
  const own = parseAddress(fill(template, settings));
  const base = integration.base_url;
  if (base === null) return own;
  if (base === SANDBOX) {
    if (!sandboxUrl) throw new Fault("upstream_forbidden", "the sandbox is off");
    return parseAddress(`${sandboxUrl}/${manifest.id}${own.path}`);
  }
  return parseAddress(base.replace(/\/+$/, "") + (manifest.selfHosted?.[name] ?? own.path));
}
