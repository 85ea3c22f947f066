import type { AuthType, Setting } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { addressTemplate, type Manifest } from "../../contracts/manifest.ts";

type Settings = Record<string, string>;

const MAX_LENGTH = 500;

/** Whether a value may become part of an address. */
export const isValidSetting = ({ pattern }: Setting, value: string): boolean =>
  value.length <= MAX_LENGTH && new RegExp(`^(?:${pattern})$`).test(value);

const find = ({ settings }: Manifest, name: string): Setting | undefined =>
  settings && Object.hasOwn(settings, name) ? settings[name] : undefined;

/** The values from a provider that are valid according to the manifest; the others are dropped. */
export function validSettings(manifest: Manifest, given: Record<string, unknown> = {}): Settings {
  const valid = Object.entries(given).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    const setting = find(manifest, name);
    if (setting?.ofIntegration || typeof value !== "string") return false;
    return setting ? isValidSetting(setting, value) : value.length <= MAX_LENGTH;
  });
  return Object.fromEntries(valid);
}

/** The values for addresses and requests: what the integration sets, no connection does. */
export function effectiveSettings(
  manifest: Manifest,
  ofConnection: Settings,
  { settings }: Pick<Integration, "settings">,
): Settings {
  const own = Object.entries(ofConnection).filter(([name]) => !find(manifest, name)?.ofIntegration);
  return { ...Object.fromEntries(own), ...settings };
}

const isAsked = ({ askedWith }: Setting, type: AuthType) => !askedWith || askedWith.includes(type);

/** Settings that the user has to be asked for. */
export const askedSettings = (manifest: Manifest, type: AuthType): [string, Setting][] =>
  Object.entries(manifest.settings ?? {}).filter(([, setting]) => !setting.ofIntegration && isAsked(setting, type));

/** Settings that an integration of this type has. */
export const integrationSettings = (manifest: Manifest, type: AuthType): [string, Setting][] =>
  Object.entries(manifest.settings ?? {}).filter(([, setting]) => setting.ofIntegration && isAsked(setting, type));

const namesIn = (template = ""): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Whether an address needs a setting. */
export const isInAddress = (manifest: Manifest, type: AuthType, setting: string): boolean =>
  Object.keys(manifest.addresses).some((name) => namesIn(addressTemplate(manifest, name, type)).includes(setting));

/** The label of a setting that an address needs and that is missing. */
export function missingSetting(
  manifest: Manifest,
  address: string,
  type: AuthType,
  known: Settings,
): string | undefined {
  const missing = namesIn(addressTemplate(manifest, address, type)).find((name) => known[name] === undefined);
  return missing && (manifest.settings?.[missing]?.label ?? missing);
}
