import type { Manifest } from "../../contracts/manifest.ts";
import { fillAll } from "./address.ts";

export const lowerCase = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The headers that a manifest adds to each request, names in lower case, without those whose settings are missing. */
export const manifestHeaders = ({ headers }: Manifest, settings: Record<string, string>): Record<string, string> => ({
  "user-agent": "plugboard",
  accept: "application/json",
  ...lowerCase(fillAll(headers, settings)),
});
