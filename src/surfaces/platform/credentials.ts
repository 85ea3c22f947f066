import type { Integration } from "../../contracts/entities.ts";
import type { Credentials, Setting } from "../../contracts/manifest.ts";
import { type Engine, isValidSetting, NotConnected } from "../../engine/index.ts";
import type { NewConnection } from "./connection-inputs.ts";
import type { Problems } from "./validation.ts";

type ConnectionField = keyof NewConnection;

/** Each type of integration requires its own credentials. Unused ones are rejected, since they suggest a mistake. */
export function checkCredentials(problems: Problems, { type }: Integration, body: NewConnection): void {
  const required: ConnectionField[] = type === "basic" ? ["username", "password"] : ["auth_token"];
  const optional: ConnectionField[] = type === "oauth2" ? ["refresh_token", "expires_in"] : [];
  const all: ConnectionField[] = ["auth_token", "username", "password", "refresh_token", "expires_in"];
  const accepted = [...required, ...optional];
  for (const name of all) {
    const given = body[name] !== undefined && body[name] !== null;
    if (!given && required.includes(name) && problems.valid(name))
      problems.add(`Required: the integration's type is ${type}`, name);
    if (given && !accepted.includes(name))
      problems.add(`Not used: the integration's type is ${type}, which uses ${accepted.join(", ")}`, name);
  }
}

export function toCredentials({ auth_token, refresh_token, username, password }: NewConnection): Credentials {
  return {
    ...(auth_token === undefined ? {} : { token: auth_token }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(username === undefined ? {} : { username, password }),
  };
}

/** The settings of a connection: the given ones, validated by the manifest, and those that can be looked up. */
export async function readSettings(
  problems: Problems,
  engine: Pick<Engine, "providers" | "connect">,
  integration: Integration,
  body: NewConnection,
): Promise<Record<string, string>> {
  const given = body.settings ?? {};
  const provider = engine.providers.get(integration.identifier);
  if (!provider || !problems.valid("settings")) return given;
  const { settings = {}, discover } = provider.manifest;
  const asked = engine.connect.asks(integration).map(([name]) => name);
  for (const [name, setting] of Object.entries(settings)) {
    const value = given[name];
    // A setting that usually comes with the OAuth token is missing here, so it is required unless it can be looked up.
    const required = asked.includes(name) || !discover;
    if (value === undefined && required) problems.add(`Required: ${describeSetting(setting)}`, "settings", name);
    if (value !== undefined && !isValidSetting(setting, value))
      problems.add(`Must be: ${describeSetting(setting)}; must match ${setting.pattern}`, "settings", name);
  }
  const known = Object.keys(settings);
  for (const name of Object.keys(given).filter((name) => !known.includes(name)))
    problems.add(`Unknown setting; known settings: ${known.join(", ") || "none"}`, "settings", name);

  if (!discover || problems.any() || known.every((name) => name in given)) return given;
  try {
    return await engine.connect.settings(integration, toCredentials(body), given);
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    problems.add(`Required, because they could not be looked up at the provider: ${error.message}`, "settings");
    return given;
  }
}

const describeSetting = ({ label, placeholder, hint }: Setting) =>
  `${label}${placeholder ? `, such as ${placeholder}` : ""}${hint ? ` (${hint})` : ""}`;
