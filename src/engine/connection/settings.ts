import { type AuthType, addressTemplate, type Manifest, type Setting } from "../../contracts/manifest.ts";

const MAX_LENGTH = 500;

/** Whether a value may become part of an address. */
export const isValidSetting = ({ pattern }: Setting, value: string): boolean =>
  value.length <= MAX_LENGTH && new RegExp(`^(?:${pattern})$`).test(value);

/** The values from a provider that are valid according to the manifest; the others are dropped. */
export function validSettings(manifest: Manifest, given: Record<string, unknown> = {}): Record<string, string> {
  const valid = Object.entries(given).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    const setting = manifest.settings?.[name];
    return typeof value === "string" && (setting ? isValidSetting(setting, value) : value.length <= MAX_LENGTH);
  });
  return Object.fromEntries(valid);
}

/** Settings that the user has to be asked for. */
export const askedSettings = (manifest: Manifest, type: AuthType): [string, Setting][] =>
  Object.entries(manifest.settings ?? {}).filter(([, { askedWith }]) => !askedWith || askedWith.includes(type));

/** The label of a setting that an address needs and that is missing. */
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
