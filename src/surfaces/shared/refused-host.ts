import type { Integration } from "../../contracts/entities.ts";
import { addressTemplate, type Manifest } from "../../contracts/manifest.ts";
import type { Engine } from "../../engine/index.ts";
import { hostOf, isWholeHost, settingsIn } from "../../provider-document/confined-settings.ts";

/**
 * A setting of a connection that decides which server is called, and why that must not be called; undefined if there is
 * none. The address is checked again at every connect.
 */
export async function refusedHost(
  engine: Pick<Engine, "refuseAddress">,
  manifest: Manifest,
  { type, base_url }: Pick<Integration, "type" | "base_url">,
  settings: Readonly<Record<string, string>>,
): Promise<{ name: string; problem: string } | undefined> {
  // It replaces the hosts of all addresses.
  if (base_url !== null) return undefined;
  for (const address of Object.keys(manifest.addresses)) {
    const template = addressTemplate(manifest, address, type)!;
    const inHost = settingsIn(hostOf(template));
    const name = inHost.find((setting) => isWholeHost(template, setting));
    if (name === undefined || !inHost.every((setting) => settings[setting] !== undefined)) continue;
    const filled = template.replace(/\{(\w+)\}/g, (_, setting: string) => settings[setting] ?? "x");
    const problem = await engine.refuseAddress(filled);
    if (problem) return { name, problem };
  }
  return undefined;
}
