import { availableParallelism } from "node:os";
import { type Environment, givenBy, namesOf, resolveEnvironment } from "./config-environment.ts";
import { movingVariables } from "./config-moving.ts";
import { networkVariables, readProxy } from "./config-network.ts";
import { oidcVariables, readOidc } from "./config-oidc.ts";
import { readTelemetry, telemetryVariables } from "./config-telemetry.ts";
import { address, matching, oneOf, type Variable, variable, wholeNumber } from "./config-variable.ts";
import type { RateLimit } from "./contracts/coordination.ts";
import { type AllowedPrivate, isLoopback, type ProxySettings } from "./contracts/network.ts";
import type { OidcSettings } from "./contracts/people.ts";
import type { TelemetrySettings } from "./contracts/telemetry.ts";
import { readSentinels } from "./coordination/redis-address.ts";
import { likelyName } from "./runtime/likely-name.ts";

/** A surface's public address, without a trailing slash. */
function publicAddress(text: string): string | undefined {
  if (!address("http:", "https:")(text)) return undefined;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return undefined;
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function rateLimit(text: string): RateLimit | undefined {
  const [, points = "", seconds = ""] = /^(\d{1,9})\/(\d{1,6})$/.exec(text) ?? [];
  return Number(points) && Number(seconds) ? { points: Number(points), seconds: Number(seconds) } : undefined;
}

/** Keys of 32 bytes each, separated by commas or line ends. Returns the text unchanged: the store parses it. */
function encryptionKeys(text: string): string | undefined {
  const valid = text.split(/,|\r?\n/).every((key) => {
    const bytes = Buffer.from(key.trim(), "base64");
    return bytes.length === 32 && bytes.toString("base64").replaceAll("=", "") === key.trim().replaceAll("=", "");
  });
  return valid ? text : undefined;
}

/** A server, or the Sentinels that know it. */
const redisAddress = (text: string) => address("redis:", "rediss:")(text) ?? (readSentinels(text) ? text : undefined);

/** More than any machine needs; a higher number is a mistake. */
const MAX_WORKERS = 256;

const workerCount = (text: string) => (text === "auto" ? text : wholeNumber(1, MAX_WORKERS)(text));

const milliseconds = wholeNumber(1, 600_000);
const publicUrl = (fallback: string) =>
  variable(fallback, "a public address such as https://api.example.com or https://example.com/api", publicAddress, {
    derived: true,
  });

/** Every variable that Plugboard reads, in the order of the documentation. */
export const variables = {
  HOST: variable("127.0.0.1", "a host name or an IP address to listen on", matching(/^[\w.:-]+$/)),
  PORT: variable("8080", "a whole number from 0 to 65535 (0 for any free port)", wholeNumber(0, 65_535)),
  WORKERS: variable("1", `a whole number from 1 to ${MAX_WORKERS}, or auto for one per core`, workerCount),
  DATA_DIR: variable("./data", "a folder", (text) => text),
  PROVIDERS_DIR: variable("", "a folder", (text) => text),
  DATABASE_URL: variable("", "an address such as postgres://user@host/name", address("postgres:", "postgresql:"), {
    secret: true,
  }),
  REDIS_URL: variable(
    "",
    "an address such as redis://host:6379 or redis+sentinel://host:26379,host:26379/name",
    redisAddress,
    { secret: true },
  ),
  ENCRYPTION_KEY: variable(
    "",
    "32 bytes as base64, or several such keys separated by commas, the current one first",
    encryptionKeys,
    { secret: true },
  ),
  ENCRYPTION_KEY_COMMAND: variable("", "a command that prints the key", (text) => text),
  HEADER_PREFIX: variable(
    "SVC-",
    "letters, digits and hyphens, starting with a letter and ending with a hyphen, such as SVC-",
    matching(/^[A-Za-z][A-Za-z0-9-]{0,38}-$/),
  ),
  SANDBOX: variable("on", "on, off or public", oneOf("on", "off", "public")),
  DASHBOARD: variable("on", "on or off", oneOf("on", "off")),
  DIRECT_PATH: variable("on", "on or off", oneOf("on", "off")),
  UNIFIED_RATE_LIMIT: variable("100/60", "calls/seconds, such as 100/60", rateLimit),
  RATE_LIMIT: variable("100/60", "calls/seconds, such as 100/60", rateLimit),
  UPSTREAM_TIMEOUT_MS: variable("20000", "a number of milliseconds from 1 to 600000", milliseconds),
  UPSTREAM_RETRY_TIMEOUT_MS: variable("10000", "a number of milliseconds from 1 to 600000", milliseconds),
  UPSTREAM_MAX_BODY_MB: variable("16", "a whole number of megabytes from 1 to 1024", wholeNumber(1, 1024)),
  UPSTREAM_MAX_VALUES: variable("500000", "a whole number from 1000 to 100000000", wholeNumber(1_000, 100_000_000)),
  FAILURE_DETAILS: variable("on", "on or off", oneOf("on", "off")),
  AUDIT_RETENTION_DAYS: variable(
    "365",
    "a whole number of days from 0, which keeps everything, to 36500",
    wholeNumber(0, 36_500),
  ),
  EVENT_RETENTION_DAYS: variable("7", "a whole number of days from 1 to 365", wholeNumber(1, 365)),
  REQUEST_LOG_ENTRIES: variable("100000", "a whole number from 1000 to 10000000", wholeNumber(1_000, 10_000_000)),
  ...networkVariables,
  LOG_LEVEL: variable(
    "info",
    "one of trace, debug, info, warn, error, fatal, silent",
    oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  ),
  UNIFIED_URL: publicUrl("http://HOST:PORT/unified"),
  PLATFORM_URL: publicUrl("http://HOST:PORT/platform"),
  AUTH_URL: publicUrl("http://HOST:PORT/auth"),
  PROXY_URL: publicUrl("http://HOST:PORT/proxy"),
  MCP_URL: publicUrl("http://HOST:PORT/mcp"),
  DASHBOARD_URL: variable(
    "http://HOST:PORT/dashboard",
    "a public address with the path /dashboard, such as https://example.com/dashboard",
    (text) => publicAddress(text)?.match(/^[^/]*\/\/[^/]+\/dashboard$/)?.[0],
    { derived: true },
  ),
  ...oidcVariables,
  ...movingVariables,
  ...telemetryVariables,
};

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
  return host.includes(":") ? `[${host}]` : host;
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
