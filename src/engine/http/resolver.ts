import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";

export type Resolve = (hostname: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>;

/**
 * Looks names up as usual, but each only once at a time. The system has four threads for it: many calls to one host
 * whose name server does not answer would block all other names. `check` may refuse the addresses by throwing.
 */
export function createResolver(check: (hostname: string, found: LookupAddress[]) => void, resolve: Resolve = lookup) {
  const asked = new Map<string, Promise<LookupAddress[]>>();

  function find(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
    const question = `${options.family ?? 0} ${options.hints ?? 0} ${hostname}`;
    const running = asked.get(question);
    if (running) return running;
    const found = resolve(hostname, { ...options, all: true }).finally(() => asked.delete(question));
    asked.set(question, found);
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
