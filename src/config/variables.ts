import type { RateLimit } from "../contracts/coordination.ts";
import { readSentinels } from "../coordination/redis-address.ts";
import { address, hostInUrl, matching, oneOf, variable, wholeNumber } from "./define.ts";
import { movingVariables } from "./moving.ts";
import { networkVariables } from "./network.ts";
import { oidcVariables } from "./oidc.ts";
import { telemetryVariables } from "./telemetry.ts";

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
function redisAddress(text: string): string | undefined {
  try {
    if (readSentinels(text)) return text;
    const { pathname, searchParams, username, password } = new URL(text);
    decodeURIComponent(username + password);
    const databases = [pathname.replace("/", ""), searchParams.get("db") ?? ""];
    return databases.every((number) => /^\d*$/.test(number)) ? address("redis:", "rediss:")(text) : undefined;
  } catch {
    // Not percent-encoded, or no address at all.
    return undefined;
  }
}

/** The addresses of the service are made from it. */
const listenHost = (text: string) =>
  /^[\w.:-]+$/.test(text) && URL.canParse(`http://${hostInUrl(text)}`) ? text : undefined;

/** More than any machine needs; a higher number is a mistake. */
export const MAX_WORKERS = 256;

const workerCount = (text: string) => (text === "auto" ? text : wholeNumber(1, MAX_WORKERS)(text));

const milliseconds = wholeNumber(1, 600_000);
const publicUrl = (fallback: string) =>
  variable(fallback, "a public address such as https://api.example.com or https://example.com/api", publicAddress, {
    derived: true,
  });

/** Every variable that Plugboard reads, in the order of the documentation. */
export const variables = {
  HOST: variable("127.0.0.1", "a host name or an IP address to listen on, without a port", listenHost),
  PORT: variable("8080", "a whole number from 0 to 65535 (0 for any free port)", wholeNumber(0, 65_535)),
  WORKERS: variable("1", `a whole number from 1 to ${MAX_WORKERS}, or auto for one per core`, workerCount),
  DATA_DIR: variable("./data", "a folder", (text) => text),
  PROVIDERS_DIR: variable("", "a folder", (text) => text),
  DATABASE_URL: variable("", "an address such as postgres://user@host/name", address("postgres:", "postgresql:"), {
    secret: true,
  }),
  REDIS_URL: variable(
    "",
    "an address such as redis://host:6379/0 (0 is the number of a database) or redis+sentinel://host:26379,host:26379/name, in which the password is percent-encoded",
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
