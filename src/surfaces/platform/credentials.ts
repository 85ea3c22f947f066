import type { Integration } from "../../contracts/entities.ts";
import type { Credentials, Setting } from "../../contracts/manifest.ts";
import { type Engine, fits, NotConnected } from "../../engine/index.ts";
import type { NewConnection } from "./schemas.ts";
import type { Problems } from "./validation.ts";

type Field = keyof NewConnection;

/** Every type of integration wants its own credentials, and no others: what is not used would only mislead. */
export function checkCredentials(problems: Problems, { type }: Integration, body: NewConnection): void {
  const needed: Field[] = type === "basic" ? ["username", "password"] : ["auth_token"];
  const optional: Field[] = type === "oauth2" ? ["refresh_token", "expires_in"] : [];
  const all: Field[] = ["auth_token", "username", "password", "refresh_token", "expires_in"];
  const taken = [...needed, ...optional];
  for (const name of all) {
    const given = body[name] !== undefined && body[name] !== null;
    if (!given && needed.includes(name) && problems.sound(name))
      problems.add(`Required: the integration's type is ${type}`, name);
    if (given && !taken.includes(name))
      problems.add(`Not used: the integration's type is ${type}, which takes ${taken.join(", ")}`, name);
  }
}

export function credentialsOf({ auth_token, refresh_token, username, password }: NewConnection): Credentials {
  return {
    ...(auth_token === undefined ? {} : { token: auth_token }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(username === undefined ? {} : { username, password }),
  };
}

/** The per-account values of a connection: those given, each as the manifest has it, and those that can be found out. */
export async function readSettings(
  problems: Problems,
  engine: Pick<Engine, "providers" | "connect">,
  integration: Integration,
  body: NewConnection,
): Promise<Record<string, string>> {
  const given = body.settings ?? {};
  const provider = engine.providers.get(integration.identifier);
  if (!provider || !problems.sound("settings")) return given;
  const { settings = {}, discover } = provider.manifest;
  const asked = engine.connect.asks(integration).map(([name]) => name);
  for (const [name, setting] of Object.entries(settings)) {
    const value = given[name];
    // A value that would have come with the token is not with one that is brought in; unless it can be asked for.
    const required = asked.includes(name) || !discover;
    if (value === undefined && required) problems.add(`Required: ${describe(setting)}`, "settings", name);
    if (value !== undefined && !fits(setting, value))
      problems.add(`Must be: ${describe(setting)}; it has to match ${setting.pattern}`, "settings", name);
  }
  const known = Object.keys(settings);
  for (const name of Object.keys(given).filter((name) => !known.includes(name)))
    problems.add(`Unknown setting; the settings are ${known.join(", ") || "none"}`, "settings", name);

  if (!discover || problems.any() || known.every((name) => name in given)) return given;
  try {
    return (await engine.connect.check(integration, credentialsOf(body), given)).settings;
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    problems.add(`Could not be found out, and must be given: ${error.message}`, "settings");
    return given;
  }
}

const describe = ({ label, placeholder, hint }: Setting) =>
  `${label}${placeholder ? `, such as ${placeholder}` : ""}${hint ? ` (${hint})` : ""}`;
