import { createHmac, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { UnusableKey } from "../contracts/fault.ts";
import type { Texts } from "./fill-text.ts";

export interface JwtOptions {
  algorithm: "RS256" | "ES256" | "HS256";
  /** Besides `alg` and `typ`. */
  header?: Texts | undefined;
  /** Besides `iat` and `exp`. */
  claims: Texts;
  /** In seconds, from `iat` to `exp`. */
  lifetime: number;
  /** Of a secret for HS256. Default: UTF-8. */
  secretEncoding?: "utf8" | "hex" | "base64" | undefined;
}

/** The clocks of two machines differ by less. */
export const MAX_CLOCK_DIFFERENCE_S = 60;

/** Keys are often pasted with `\\n` in place of line breaks, as they are in JSON. */
function readPrivateKey(key: string): KeyObject {
  try {
    return createPrivateKey(key.replaceAll("\\n", "\n"));
  } catch {
    throw new UnusableKey("This is not a private key in PEM format without a passphrase");
  }
}

function signature({ algorithm, secretEncoding = "utf8" }: JwtOptions, text: string, key: string): Buffer {
  if (algorithm === "HS256") {
    const secret = Buffer.from(key, secretEncoding);
    if (secret.length === 0) throw new UnusableKey(`This is not a secret in ${secretEncoding}`);
    return createHmac("sha256", secret).update(text).digest();
  }
  const privateKey = readPrivateKey(key);
  const { asymmetricKeyType, asymmetricKeyDetails } = privateKey;
  if (algorithm === "RS256" && asymmetricKeyType !== "rsa") throw new UnusableKey("This is not an RSA key");
  if (algorithm === "ES256" && asymmetricKeyDetails?.namedCurve !== "prime256v1")
    throw new UnusableKey("This is not an elliptic curve key with the curve P-256");
  return sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
}

/**
 * A JSON Web Token that we sign, and how many seconds it is valid. Its time begins before now, in case the other clock
 * is late. Throws `UnusableKey` if the key is not one, or does not fit the algorithm.
 */
export function signJwt(options: JwtOptions, key: string, now: number): { jwt: string; validFor: number } {
  const { algorithm, lifetime } = options;
  const difference = Math.min(MAX_CLOCK_DIFFERENCE_S, Math.floor(lifetime / 2));
  const iat = Math.floor(now / 1000) - difference;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = { alg: algorithm, typ: "JWT", ...options.header };
  const text = `${part(header)}.${part({ iat, exp: iat + lifetime, ...options.claims })}`;
  return { jwt: `${text}.${signature(options, text, key).toString("base64url")}`, validFor: lifetime - difference };
}
