import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs what travels through a browser. What was signed under an older key is accepted while that key is kept. */
export function createSigner(keys: () => readonly Buffer[]) {
  const signature = (key: Buffer, parts: readonly (string | null)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url");

  return {
    sign: (...parts: (string | null)[]): string => signature(keys()[0]!, parts),
    verify: (given: string, ...parts: (string | null)[]): boolean =>
      keys().some((key) => equal(given, signature(key, parts))),
  };
}

function equal(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}

export type Signer = ReturnType<typeof createSigner>;
