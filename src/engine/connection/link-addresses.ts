import type { Integration } from "../../contracts/entities.ts";
import { addressTemplate, type Manifest, requestAddresses } from "../../contracts/manifest.ts";
import { REDACTED } from "../http/redact.ts";
import { type Address, fill, hasSettings, SANDBOX } from "./address.ts";

/** What a link to one of a provider's addresses begins with. */
export interface LinkAddress {
  /** The name of the address. */
  to: string;
  /** `*` stands for a part of a host name. */
  url: string;
}

/** Everything that responses over a connection may call an address for clients' requests, the longest form first. */
export function findLinkAddresses(
  manifest: Manifest,
  { type, base_url }: Pick<Integration, "type" | "base_url">,
  settings: Record<string, string>,
  address: (name: string) => Address,
  hasPathSecret = false,
): LinkAddress[] {
  const found = new Map<string, LinkAddress>();
  for (const to of requestAddresses(manifest)) {
    const { origin, path } = address(to);
    // Records of emulated providers have links to the real ones.
    const hosted = base_url === SANDBOX ? [addressTemplate(manifest, to, type)!] : [];
    const others = base_url === null || base_url === SANDBOX ? (manifest.linkedAs?.[to] ?? []) : [];
    const filled = [...hosted, ...others].filter((template) => hasSettings(template, settings));
    for (const url of [origin + path, ...filled.map((template) => fill(template, settings))])
      for (const form of hasPathSecret ? [`${url}/${REDACTED}`, url] : [url])
        if (!found.has(form)) found.set(form, { to, url: form });
  }
  return [...found.values()].sort((a, b) => b.url.length - a.url.length);
}
