import { hash, randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of the alphabet's length in a byte: bytes from there on would favour some characters. */
const FAIR = 256 - (256 % ALPHABET.length);

function random(length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length - text.length)) if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** `conn_` and 24 characters, with no dot. */
export const newId = (prefix: "client" | "conn" | "int" | "key" | "log" | "ws"): string => `${prefix}_${random(24)}`;

/** The key itself is shown once; its hash and its first characters are kept. */
export function newApiKey(): { key: string; hash: string; prefix: string } {
  const key = `sk_${random(48)}`;
  return { key, hash: hash("sha256", key), prefix: key.slice(0, 9) };
}
