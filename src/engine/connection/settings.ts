import { type AuthType, addressTemplate, type Manifest, type Setting } from "../../contracts/manifest.ts";

const MAX_LENGTH = 500;

/** Whether a value may get into an address. */
export const fits = ({ pattern }: Setting, value: string): boolean =>
  value.length <= MAX_LENGTH && new RegExp(`^(?:${pattern})$`).test(value);

/** Those of the values that came from a provider which are what the manifest says they are. */
export function validSettings(manifest: Manifest, given: Record<string, unknown> = {}): Record<string, string> {
  const sound = Object.entries(given).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    const setting = manifest.settings?.[name];
    return typeof value === "string" && (setting ? fits(setting, value) : value.length <= MAX_LENGTH);
  });
  return Object.fromEntries(sound);
}

/** What the user has to be asked for. */
export const askedSettings = (manifest: Manifest, type: AuthType): [string, Setting][] =>
  Object.entries(manifest.settings ?? {}).filter(([, { askedWith }]) => !askedWith || askedWith.includes(type));

/** The label of a value that an address is made from and that is not there. */
export function missingSetting(
  manifest: Manifest,
  address: string,
  type: AuthType,
  known: Record<string, string>,
): string | undefined {
  const names = [...(addressTemplate(manifest, address, type) ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const missing = names.find((name) => known[name] === undefined);
  return missing && (manifest.settings?.[missing]?.label ?? missing);
}
