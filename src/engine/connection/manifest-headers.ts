import type { Manifest } from "../../contracts/manifest.ts";
import { fill, hasSettings } from "./address.ts";

export const lowerCase = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The headers that a manifest adds to each request, names in lower case, without those whose settings are missing. */
export function manifestHeaders({ headers = {} }: Manifest, settings: Record<string, string>): Record<string, string> {
  const filled = Object.entries(headers).flatMap(([name, value]) =>
    hasSettings(value, settings) ? [[name.toLowerCase(), fill(value, settings)]] : [],
  );
  return { "user-agent": "plugboard", accept: "application/json", ...Object.fromEntries(filled) };
}
