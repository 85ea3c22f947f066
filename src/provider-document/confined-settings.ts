import type { Setting } from "../contracts/authentication.ts";
import type { ProviderDocument } from "./schema.ts";

/** Names of the settings in a text. */
export const settingsIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

export const hostOf = (address: string): string => /^https?:\/\/([^/?#]*)/.exec(address)?.[1] ?? "";

const addressesOf = ({ addresses }: ProviderDocument): string[] =>
  Object.values(addresses).filter((address) => address !== undefined);

export const isInHost = (document: ProviderDocument, name: string): boolean =>
  addressesOf(document).some((address) => settingsIn(hostOf(address)).includes(name));

/** Whether a setting decides whose server an address is: `{host}` and `{name}.com`, but not `{name}.example.com`. */
export const isWholeHost = (address: string, name: string): boolean => {
  const host = hostOf(address);
  const end = host.lastIndexOf(`{${name}}`);
  if (end < 0) return false;
  const owner = /^\.(?:[\w-]+\.)+[a-z]{2,}$/.test(host.slice(host.lastIndexOf("}") + 1));
  return !owner;
};

export const isInPath = (document: ProviderDocument, name: string): boolean =>
  addressesOf(document).some((address) => settingsIn(address.slice(hostOf(address).length)).includes(name));

const MAX_LENGTH = 253;
const HOST = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?";
const PORT = "(?::[0-9]{1,5})?";

/**
 * A setting with a pattern that confines its value to its place, whatever its own pattern allows: in a host name nothing
 * ends the name, and in a path nothing leaves the segment.
 */
export function confinedSetting(document: ProviderDocument, name: string): Setting {
  const { label, hint, placeholder, pattern, choices, set_by, optional } = document.settings![name]!;
  const own = choices ? choices.map((choice) => RegExp.escape(choice)).join("|") : pattern!;
  const wholeHost = addressesOf(document).some((address) => isWholeHost(address, name));
  const inHost = isInHost(document, name);
  const inPath = isInPath(document, name);
  const rules = [
    `(?=[ -~]{1,${MAX_LENGTH}}$)`,
    ...(inHost ? [`(?=${HOST}${wholeHost ? PORT : ""}$)(?!.*\\.\\.)`] : []),
    ...(inPath ? ["(?=[^/?#%\\\\]+$)(?!\\.+$)"] : []),
  ];
  return {
    label,
    ...(hint ? { hint } : {}),
    ...(placeholder ? { placeholder } : {}),
    pattern: `${rules.join("")}(?:${own})`,
    ...(choices
      ? { choices }
      : { rule: `match ${own}${inHost ? " and fit into a host name" : inPath ? " and fit into a path" : ""}` }),
    ...(set_by === "integration" ? { ofIntegration: true } : {}),
    ...(optional ? { optional } : {}),
  };
}
