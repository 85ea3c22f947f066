import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

type Part = string | Buffer | null;

/** Signs values that leave the service and come back. The first key signs; every key that is still kept is accepted. */
export function createSigner(keys: () => readonly KeyObject[]) {
  function signature(key: KeyObject, parts: readonly Part[], length: number): Buffer {
    const mac = createHmac("sha256", key);
    // Each part with its length, so that different lists of parts never result in the same bytes.
    for (const part of parts) {
      if (part === null) mac.update("-:");
      else mac.update(`${Buffer.byteLength(part)}:`).update(part);
    }
    return mac.digest().subarray(0, length);
  }

  const isGenuine = (given: Buffer, parts: readonly Part[]) =>
    keys().some((key) => timingSafeEqual(signature(key, parts, given.length), given));

  return {
    /** A signature of 16 to 32 bytes. */
    sign: (length: number, ...parts: Part[]): Buffer => signature(keys()[0]!, parts, length),
    verify: (given: Buffer, length: number, ...parts: Part[]): boolean =>
      given.length === length && isGenuine(given, parts),
    /** The same as text, for URLs and forms. */
    signText: (...parts: Part[]): string => signature(keys()[0]!, parts, 32).toString("base64url"),
    verifyText(given: string, ...parts: Part[]): boolean {
      const bytes = Buffer.from(given, "base64url");
      // Base64 has unused bits at its end: only the exact encoding that we wrote is accepted.
      return bytes.length === 32 && bytes.toString("base64url") === given && isGenuine(bytes, parts);
    },
  };
}

export type Signer = ReturnType<typeof createSigner>;
