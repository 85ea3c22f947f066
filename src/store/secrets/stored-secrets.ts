import type { BasicLogger } from "../../contracts/telemetry.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { Keyring, SecretLocation } from "./vault.ts";

/** How many unreadable values are remembered, so that each is logged once. */
const MAX_REPORTED = 10_000;

/** Reads stored secrets. One that cannot be decrypted is logged once, and never makes a query fail. */
export interface StoredSecrets {
  /** The decrypted value, or undefined if it cannot be decrypted. */
  decrypt(value: string, location: SecretLocation): string | undefined;
  /** Whether there is a key for the value, without decrypting it: for lists, which show no secrets. */
  isReadable(value: string, location: SecretLocation): boolean;
}

export function createStoredSecrets(keyring: Keyring, log?: Pick<BasicLogger, "warn">): StoredSecrets {
  const reported = new BoundedMap<true>(MAX_REPORTED);

  function report({ table, id, column }: SecretLocation, reason: string): void {
    const row = `${table} ${id}`;
    if (reported.get(row)) return;
    reported.set(row, true);
    log?.warn({ table, id, column, reason }, "a stored secret cannot be decrypted");
  }

  return {
    decrypt(value, location) {
      try {
        return keyring.decrypt(value, location);
      } catch (error) {
        report(location, (error as Error).message);
        return undefined;
      }
    },

    isReadable(value, location) {
      const readable = keyring.hasKeyOf(value);
      if (!readable) report(location, "it is encrypted with a key that is not configured, or not encrypted at all");
      return readable;
    },
  };
}
