import type { AuthType, Credentials } from "../../contracts/authentication.ts";
import { authTypes, type Manifest } from "../../contracts/manifest.ts";
import { isValidSetting, missingSetting } from "../../engine/index.ts";
import names from "./provider-names.json" with { type: "json" };
import type { NangoConnection } from "./source.ts";

/** How a provider of Nango is named here, and where its values are found. `{name}` stands for one of `config`. */
interface ProviderName {
  id: string;
  settings?: Record<string, string>;
  /** Values that Nango leaves out. */
  defaults?: Record<string, string>;
  base_url?: string;
  /** The host of `base_url` that is the provider's own. */
  hosted?: string;
  /** The field of Basic credentials that is a key here. */
  key?: string;
}

/** The connection cannot be used here: the message says why. */
export class Unusable extends Error {}

export const providerName = (provider: string): ProviderName =>
  (names as Record<string, ProviderName>)[provider] ?? { id: provider };

export interface Converted {
  type: AuthType;
  credentials: Credentials;
  settings: Record<string, string>;
  base_url: string | null;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The template with its values, or undefined if one is missing. */
function fill(template: string, config: Record<string, unknown>): string | undefined {
  let isComplete = true;
  const filled = template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = text(config[name]);
    isComplete &&= value !== undefined;
    return value ?? "";
  });
  return isComplete ? filled : undefined;
}

/** What the credentials are here, or throws if Plugboard has no such type for the provider. */
function convertCredentials(
  { id, key }: ProviderName,
  manifest: Manifest,
  { credentials }: NangoConnection,
): Pick<Converted, "type" | "credentials"> {
  const types = authTypes(manifest);
  const get = (field: string) => text(credentials[field]) ?? "";
  const token = text(credentials.token);
  const refresh_token = text(credentials.refresh_token);
  const forms: Record<string, Pick<Converted, "type" | "credentials">> = {
    OAUTH2: {
      type: "oauth2",
      credentials: { token: get("access_token"), ...(refresh_token ? { refresh_token } : {}) },
    },
    API_KEY: { type: "api_key", credentials: { token: get("apiKey") } },
    BASIC: key
      ? { type: "api_key", credentials: { token: get(key) } }
      : { type: "basic", credentials: { username: get("username"), password: get("password") } },
    OAUTH2_CC: {
      type: "client_credentials",
      credentials: { username: get("client_id"), password: get("client_secret"), ...(token ? { token } : {}) },
    },
    NONE: { type: "none", credentials: {} },
  };
  const form = forms[credentials.type ?? ""];
  if (!form || !types.includes(form.type))
    throw new Unusable(
      `Plugboard connects ${id} by ${types.join(", ")}, and not by ${credentials.type ?? "this type"}`,
    );
  if (form.credentials.token === "" || form.credentials.username === "")
    throw new Unusable("Nango has no credentials for it");
  return form;
}

const plain = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();

/** Nango has addresses where only a host or its first part is needed. */
function candidates(value: string): string[] {
  if (!URL.canParse(value)) return [value];
  const { host, origin } = new URL(value);
  return [value, origin, host, host.split(".")[0]!];
}

function convertSettings(name: ProviderName, manifest: Manifest, config: NangoConnection["config"]) {
  const settings: Record<string, string> = {};
  for (const [setting, rule] of Object.entries(manifest.settings ?? {})) {
    if (rule.ofIntegration) continue;
    const template = name.settings?.[setting];
    const given = Object.entries(config).find(([key]) => plain(key) === plain(setting))?.[1];
    const value = (template === undefined ? text(given) : fill(template, config)) ?? name.defaults?.[setting];
    const valid = value === undefined ? undefined : candidates(value).find((one) => isValidSetting(rule, one));
    if (valid !== undefined) settings[setting] = valid;
  }
  return settings;
}

export function convertConnection(provider: string, manifest: Manifest, connection: NangoConnection): Converted {
  const name = providerName(provider);
  const { config } = connection;
  const converted = convertCredentials(name, manifest, connection);
  const settings = convertSettings(name, manifest, config);
  const missing = missingSetting(manifest, "api", converted.type, settings);
  if (missing) throw new Unusable(`${name.id} needs "${missing}", which Nango does not have`);
  const base_url = name.base_url === undefined ? undefined : fill(name.base_url, config);
  const isHosted = base_url !== undefined && URL.canParse(base_url) && new URL(base_url).host === name.hosted;
  if (manifest.selfHostedOnly && base_url === undefined)
    throw new Unusable(`${name.id} needs the address of the server, which Nango does not have`);
  return { ...converted, settings, base_url: isHosted ? null : (base_url ?? null) };
}
