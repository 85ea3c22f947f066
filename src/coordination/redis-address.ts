import type { RedisOptions } from "ioredis";

const SENTINEL_PORT = 26_379;
const SENTINELS =
  /^redis(s?)\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/([^/?#]+)(?:\/(\d+))?(?:\?([^#]*))?$/;

/**
 * How to find the primary by its Sentinels: `redis+sentinel://user:password@host:26379,host:26379/name/0`, with
 * `?sentinel_password=` if they have one themselves. Undefined if the address is not of this form.
 */
export function readSentinels(address: string): RedisOptions | undefined {
  const [found, s, username, password, hosts = "", name = "", database, query] = SENTINELS.exec(address) ?? [];
  if (!found) return undefined;
  const sentinels = hosts.split(",").map((host) => URL.parse(`redis://${host}`));
  if (!sentinels.every((url) => url?.hostname && !url.username)) return undefined;
  const sentinelPassword = new URLSearchParams(query).get("sentinel_password");
  return {
    sentinels: sentinels.map((url) => ({
      host: url!.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url!.port) || SENTINEL_PORT,
    })),
    name: decodeURIComponent(name),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(database ? { db: Number(database) } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(s ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}
