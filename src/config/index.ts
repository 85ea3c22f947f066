import { availableParallelism } from "node:os";
import type { RateLimit } from "../contracts/coordination.ts";
import { type AllowedPrivate, isLoopback, type ProxySettings } from "../contracts/network.ts";
import type { OidcSettings } from "../contracts/people.ts";
import type { TelemetrySettings } from "../contracts/telemetry.ts";
import { likelyName } from "../runtime/likely-name.ts";
import { hostInUrl, type Variable } from "./define.ts";
import { type Environment, givenBy, namesOf, resolveEnvironment } from "./environment.ts";
import { readProxy } from "./network.ts";
import { readOidc } from "./oidc.ts";
import { readTelemetry } from "./telemetry.ts";
import { MAX_WORKERS, variables } from "./variables.ts";

export const surfaceNames = ["unified", "platform", "auth", "proxy", "mcp"] as const;
export type SurfaceName = (typeof surfaceNames)[number];
export type Urls = Record<SurfaceName, string>;

export interface Config {
  host: string;
  port: number;
  /** How many processes serve requests. */
  workers: number;
  dataDir: string;
  /** A folder with providers that are not part of the repository. */
  providersDir: string | undefined;
  /** If undefined, SQLite in `dataDir` is used. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Base64 keys separated by commas, the current one first. If undefined, the key file in `dataDir` is used. */
  encryptionKey: string | undefined;
  /** A command that prints them. */
  encryptionKeyCommand: string | undefined;
  headerPrefix: string;
  sandbox: boolean;
  dashboard: boolean;
  /** Whether most calls of Unified and Proxy are served without Fastify: see `direct.ts`. */
  directPath: boolean;
  dashboardUrl: string;
  /** Who may sign in to the dashboard: people only, or also whoever has a link or a key. */
  dashboardSignIn: "all" | "oidc";
  /** How people sign in. */
  oidc: OidcSettings | undefined;
  unifiedRateLimit: RateLimit;
  /** For Proxy and MCP. */
  rateLimit: RateLimit;
  upstreamTimeoutMs: number;
  upstreamRetryTimeoutMs: number;
  upstreamMaxBodyMb: number;
  upstreamMaxValues: number;
  /** Whether the request log keeps queries, reasons and providers' responses of requests that failed. */
  failureDetails: boolean;
  /** 0 keeps everything. */
  auditRetentionDays: number;
  eventRetentionDays: number;
  /** How many entries the request log keeps. */
  requestLogEntries: number;
  allowPrivateUpstreams: AllowedPrivate;
  /** The proxy that outgoing calls take. */
  proxy: ProxySettings | undefined;
  /** Where traces, metrics and logs are sent. */
  telemetry: TelemetrySettings | undefined;
  /** What exports are sealed with. */
  exportPassphrase: string | undefined;
  /** For an import from Nango: of its API, and of its database. */
  nangoSecretKey: string | undefined;
  nangoEncryptionKey: string | undefined;
  logLevel: string;
  /** The address at which this machine reaches the service. */
  localUrl: string;
  /** Public addresses, without a trailing slash. */
  urls: Urls;
  /** Surfaces whose address was given. The others are where this machine reaches them, which may not be where a client does. */
  givenUrls: ReadonlySet<SurfaceName>;
  /** Hosts that serve a single surface at their root. */
  hosts: ReadonlyMap<string, SurfaceName>;
}

/** The environment is invalid. There is one line for each invalid variable. */
export class ConfigError extends Error {
  readonly lines: string[];

  constructor(lines: string[]) {
    super(lines.join("\n"));
    this.name = "ConfigError";
    this.lines = lines;
  }
}

type Variables = typeof variables;
type Values = { [name in keyof Variables]: ReturnType<Variables[name]["read"]> };

export function readConfig(given: Environment): Config {
  const problems: string[] = [];
  const env = resolveEnvironment(given, variables, problems);
  const values = readValues(env, problems);
  const keyIsGiven = ["ENCRYPTION_KEY", "ENCRYPTION_KEY_FILE", "ENCRYPTION_KEY_COMMAND"].some((name) =>
    env[name]?.trim(),
  );
  if (values.ENCRYPTION_KEY && values.ENCRYPTION_KEY_COMMAND)
    problems.push(`ENCRYPTION_KEY_COMMAND: must not be set together with ${givenBy(env, "ENCRYPTION_KEY")}`);
  if (values.DATABASE_URL && !keyIsGiven)
    problems.push(
      `ENCRYPTION_KEY: required with DATABASE_URL; must be ${variables.ENCRYPTION_KEY.expected}. To generate a key: openssl rand -base64 32`,
    );
  const host = values.HOST ?? variables.HOST.fallback;
  if (values.SANDBOX === "on" && !isLoopback(host))
    problems.push(
      `SANDBOX: must be off or public, not on, with HOST=${host}, which other machines may reach: off for production, public if everybody who can reach it may use the emulated providers`,
    );
  problems.push(...workerProblems(env, values));
  const port = values.PORT ?? 0;
  const localUrl = `http://${reachable(host)}:${port}`;
  const urls = Object.fromEntries(
    surfaceNames.map((name) => [name, values[urlVariable(name)] ?? `${localUrl}/${name}`]),
  ) as Urls;
  const hosts = dedicatedHosts(urls, problems);
  const dashboardUrl = values.DASHBOARD_URL ?? `${localUrl}/dashboard`;
  const conflict = values.DASHBOARD_URL && hosts.get(new URL(dashboardUrl).host);
  if (conflict) problems.push(`DASHBOARD_URL: must not have the host of ${urlVariable(conflict)}`);
  const oidc = readOidc(env, values, problems);
  const telemetry = readTelemetry(values, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host,
    port,
    workers: values.WORKERS === "auto" ? Math.min(availableParallelism(), MAX_WORKERS) : values.WORKERS!,
    dataDir: values.DATA_DIR!,
    providersDir: values.PROVIDERS_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    encryptionKey: values.ENCRYPTION_KEY,
    encryptionKeyCommand: values.ENCRYPTION_KEY_COMMAND,
    headerPrefix: values.HEADER_PREFIX!,
    sandbox: values.SANDBOX !== "off",
    dashboard: values.DASHBOARD !== "off",
    directPath: values.DIRECT_PATH !== "off",
    dashboardUrl,
    dashboardSignIn: values.DASHBOARD_SIGN_IN!,
    oidc,
    unifiedRateLimit: values.UNIFIED_RATE_LIMIT!,
    rateLimit: values.RATE_LIMIT!,
    upstreamTimeoutMs: values.UPSTREAM_TIMEOUT_MS!,
    upstreamRetryTimeoutMs: values.UPSTREAM_RETRY_TIMEOUT_MS!,
    upstreamMaxBodyMb: values.UPSTREAM_MAX_BODY_MB!,
    upstreamMaxValues: values.UPSTREAM_MAX_VALUES!,
    failureDetails: values.FAILURE_DETAILS === "on",
    auditRetentionDays: values.AUDIT_RETENTION_DAYS!,
    eventRetentionDays: values.EVENT_RETENTION_DAYS!,
    requestLogEntries: values.REQUEST_LOG_ENTRIES!,
    allowPrivateUpstreams: values.ALLOW_PRIVATE_UPSTREAMS!,
    proxy: readProxy(values, localUrl),
    telemetry,
    exportPassphrase: values.EXPORT_PASSPHRASE,
    nangoSecretKey: values.NANGO_SECRET_KEY,
    nangoEncryptionKey: values.NANGO_ENCRYPTION_KEY,
    logLevel: values.LOG_LEVEL!,
    localUrl,
    urls,
    givenUrls: new Set(surfaceNames.filter((name) => values[urlVariable(name)] !== undefined)),
    hosts,
  };
}

/** Names shorter than this are too much like others. */
const MIN_MISSPELLED_LENGTH = 6;

/** Variables in the environment that Plugboard does not have, and that look like one that it has. */
export function misspelledVariables(env: Environment): { given: string; meant: string }[] {
  const known = namesOf(variables);
  const names = known.filter((name) => name.length >= MIN_MISSPELLED_LENGTH);
  return Object.keys(env).flatMap((given) => {
    const meant = known.includes(given) ? undefined : likelyName(given, names);
    return meant ? [{ given, meant }] : [];
  });
}

function readValues(env: Environment, problems: string[]): Partial<Values> {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries<Variable<unknown>>(variables)) {
    const text = env[name]?.trim() || (variable.derived ? "" : variable.fallback);
    if (!text) continue;
    values[name] = variable.read(text);
    if (values[name] === undefined)
      problems.push(
        `${givenBy(env, name)}: must be ${variable.expected}${variable.secret ? "" : `, not ${JSON.stringify(text)}`}`,
      );
  }
  return values as Partial<Values>;
}

/**
 * What several workers need, and why. `auto` needs it on a machine with one core too, so that a configuration does not
 * work on one machine and fail on another.
 */
function workerProblems(env: Environment, { WORKERS, SANDBOX }: Partial<Values>): string[] {
  if (WORKERS === undefined || WORKERS === 1) return [];
  const needed = [];
  if (!env.DATABASE_URL?.trim() && !env.DATABASE_URL_FILE)
    needed.push("DATABASE_URL (the embedded database works inside one process and has one writer at a time)");
  if (!env.REDIS_URL?.trim() && !env.REDIS_URL_FILE)
    needed.push("REDIS_URL (workers share rate limits, locks and changes over Redis)");
  if (SANDBOX === "on" || SANDBOX === "public")
    needed.push("SANDBOX=off (emulated providers keep their state in one process)");
  return needed.length === 0 ? [] : [`WORKERS: must be 1, not ${WORKERS}, unless you set ${needed.join(", ")}`];
}

const urlVariable = (name: SurfaceName) => `${name.toUpperCase() as Uppercase<SurfaceName>}_URL` as const;

/** The host for calls from this machine, also if the service listens on all addresses. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return hostInUrl(host);
}

function dedicatedHosts(urls: Urls, problems: string[]): Map<string, SurfaceName> {
  const hosts = new Map<string, SurfaceName>();
  for (const name of surfaceNames) {
    const url = new URL(urls[name]);
    if (url.pathname !== "/") continue;
    const conflict = surfaceNames.find((other) => other !== name && new URL(urls[other]).host === url.host);
    if (conflict)
      problems.push(
        `${urlVariable(name)}: must have a path or a host that no other surface uses; ${urlVariable(conflict)} also uses ${url.host}`,
      );
    hosts.set(url.host, name);
  }
  return hosts;
}
