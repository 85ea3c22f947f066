import { generateKeyPairSync } from "node:crypto";

const pem = { type: "pkcs8", format: "pem" } as const;

/** Private keys that exist for one run only. */
export const rsaKey = String(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export(pem));
export const ecKey = String(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pem));
