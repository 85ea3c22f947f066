import { hash, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const random = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** `conn_` and 24 characters, with no dot. */
export const newId = (prefix: "client" | "conn" | "int" | "key" | "log" | "ws"): string => `${prefix}_${random(24)}`;

/** The key itself is shown once; its hash and its first characters are kept. */
export function newApiKey(): { key: string; hash: string; prefix: string } {
  const key = `sk_${random(48)}`;
  return { key, hash: hash("sha256", key), prefix: key.slice(0, 9) };
}
