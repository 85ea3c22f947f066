import type { Credentials, Setting } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import {
  askedCredentials,
  type Engine,
  type Grant,
  isInAddress,
  isValidSetting,
  NotConnected,
} from "../../engine/index.ts";
import { refusedHost } from "../shared/refused-host.ts";
import { isHeaderText, type NewConnection } from "./connection-inputs.ts";
import type { Problems } from "./validation.ts";

type ConnectionField = keyof NewConnection;

/** Where the request has a credential. */
const FIELDS = {
  token: "auth_token",
  secret: "auth_token",
  username: "username",
  password: "password",
  refresh_token: "refresh_token",
} as const satisfies Record<Exclude<keyof Credentials, "sign_in">, ConnectionField>;

/** Each type of integration requires its own credentials. Unused ones are rejected, since they suggest a mistake. */
export function checkCredentials(
  problems: Problems,
  manifest: Manifest,
  integration: Integration,
  body: NewConnection,
): void {
  const { type } = integration;
  if (!manifest.auth[type]) {
    problems.add(`${manifest.name} no longer has its type ${type}: create another integration`, "integration_id");
    return;
  }
  const issued = issuedTokens(manifest, type);
  if (issued?.installation) {
    problems.add("Its users connect with a connect session: only they can prove whose account it is", "integration_id");
    return;
  }
  const asked: ConnectionField[] = askedCredentials(manifest, integration).asked.map(({ name }) => FIELDS[name]);
  const required: ConnectionField[] = type === "oauth2" ? ["auth_token"] : asked;
  const hasNoPassword = type === "basic" && !asked.includes("password");
  // A discovered sign-in refreshes only the tokens that it issued.
  const refreshes = type === "oauth2" && !manifest.auth.oauth2?.discovered;
  const optional: ConnectionField[] =
    type === "oauth2" ? [...(refreshes ? (["refresh_token"] as const) : []), "expires_in"] : [];
  const all: ConnectionField[] = ["auth_token", "username", "password", "refresh_token", "expires_in"];
  const accepted = [...required, ...optional, ...(hasNoPassword ? ["password" as const] : [])];
  for (const name of all) {
    const given = body[name] !== undefined && body[name] !== null;
    if (!given && required.includes(name) && problems.valid(name))
      problems.add(`Required: the integration's type is ${type}`, name);
    if (given && !accepted.includes(name))
      problems.add(`Not used: the integration's type is ${type}, which uses ${accepted.join(", ") || "none"}`, name);
  }
  if (!issued && body.auth_token !== undefined && problems.valid("auth_token") && !isHeaderText(body.auth_token))
    problems.add("Must be in printable ASCII, without spaces around it", "auth_token");
}

/** The credentials of a connection. What tokens are issued for is no token itself. */
export function toCredentials(body: NewConnection, isIssued = false): Credentials {
  const { auth_token, refresh_token, username, password } = body;
  return {
    ...(auth_token === undefined ? {} : { [isIssued ? "secret" : "token"]: auth_token }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(username === undefined ? {} : { username, password: password ?? "" }),
  };
}

/** Requests a token for a new connection. If the provider refuses, the field that it is about is named. */
export async function issueFor(
  problems: Problems,
  { connect }: Pick<Engine, "connect">,
  manifest: Manifest,
  integration: Integration,
  body: NewConnection,
): Promise<Grant | undefined> {
  if (!issuedTokens(manifest, integration.type) || problems.any()) return undefined;
  const { asked } = askedCredentials(manifest, integration);
  const field = FIELDS[asked.findLast(({ isSecret }) => isSecret)?.name ?? "token"];
  const credentials = toCredentials(body, true);
  const settings = body.settings ?? {};
  const problem = connect.keyProblem(manifest, integration, credentials, settings);
  if (problem) problems.add(problem, field);
  problems.throwIfAny();
  try {
    return await connect.check(integration, credentials, settings);
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    const isTheirs = asked.length > 0 && error.isRefusal;
    problems.add(`No token could be issued: ${error.message}`, isTheirs ? field : "integration_id");
    return undefined;
  }
}

/** The settings of a connection: the given ones, validated by the manifest, and those that can be looked up. */
export async function readSettings(
  problems: Problems,
  engine: Pick<Engine, "connect" | "refuseAddress">,
  manifest: Manifest,
  integration: Integration,
  body: NewConnection,
): Promise<Record<string, string>> {
  const given = body.settings ?? {};
  if (!problems.valid("settings") || !problems.valid("integration_id")) return given;
  const { settings = {}, discover } = manifest;
  const { type } = integration;
  const asked = (await engine.connect.asks(integration)).map(([name]) => name);
  for (const [name, setting] of Object.entries(settings)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    // A setting that usually comes with the OAuth token is missing here, so it is required unless it can be looked up.
    const required = asked.includes(name) || (!discover && isInAddress(manifest, type, name));
    if (setting.ofIntegration) {
      if (value !== undefined) problems.add("Set by the integration: connections cannot change it", "settings", name);
      continue;
    }
    const problem = settingProblem(setting, value, required);
    if (problem) problems.add(problem, "settings", name);
  }
  const known = Object.keys(settings);
  for (const name of Object.keys(given).filter((name) => !known.includes(name)))
    problems.add(`Unknown setting; known settings: ${known.join(", ") || "none"}`, "settings", name);

  const refused = problems.valid("settings") && (await refusedHost(engine, manifest, integration, given));
  if (refused) problems.add(refused.problem, "settings", refused.name);

  const isIssued = issuedTokens(manifest, type) !== undefined;
  if (!discover || isIssued || problems.any() || known.every((name) => name in given)) return given;
  try {
    return await engine.connect.settings(integration, toCredentials(body), given);
  } catch (error) {
    if (!(error instanceof NotConnected)) throw error;
    problems.add(`Required, because they could not be looked up at the provider: ${error.message}`, "settings");
    return given;
  }
}

/** What is wrong with the value of a setting. */
export function settingProblem(setting: Setting, value: string | undefined, required = true): string | undefined {
  if (value === undefined) return required && !setting.optional ? `Required: ${describeSetting(setting)}` : undefined;
  if (isValidSetting(setting, value)) return undefined;
  if (setting.choices) return `Must be one of ${setting.choices.join(", ")}`;
  return `Must be: ${describeSetting(setting)}; must ${setting.rule ?? `match ${setting.pattern}`}`;
}

const describeSetting = ({ label, placeholder, hint }: Setting) =>
  `${label}${placeholder ? `, such as ${placeholder}` : ""}${hint ? ` (${hint})` : ""}`;
