import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";

export type Resolve = (hostname: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>;

/**
 * Looks up names as Node does, but each only once at a time. Node has four threads for lookups: without this, many
 * calls to one host whose name server hangs would block all other lookups. `check` throws to refuse the addresses.
 */
export function createResolver(check: (hostname: string, found: LookupAddress[]) => void, resolve: Resolve = lookup) {
  const running = new Map<string, Promise<LookupAddress[]>>();

  function find(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const key = `${options.family ?? 0} ${options.hints ?? 0} ${hostname}`;
    const current = running.get(key);
    if (current) return current;
    const found = resolve(hostname, { ...options, all: true }).finally(() => running.delete(key));
    running.set(key, found);
    return found;
  }

  const lookupFunction: LookupFunction = (hostname, options, callback) => {
    find(hostname, options).then(
      (found) => {
        try {
          check(hostname, found);
        } catch (error) {
          return callback(error as Error, "", 0);
        }
        if (options.all) return callback(null, found);
        const first = found[0]!;
        callback(null, first.address, first.family);
      },
      (error) => callback(error, "", 0),
    );
  };
  return lookupFunction;
}
