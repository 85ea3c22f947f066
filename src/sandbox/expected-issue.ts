import { generateKeyPairSync } from "node:crypto";
import type { IssueContext, IssuedTokens } from "../contracts/authentication.ts";
import { UnusableKey } from "../contracts/fault.ts";
import type { Manifest } from "../contracts/manifest.ts";

/** Stands for a value that only the client knows. It stays as it is in paths. */
const mark = (name: string) => `~${name}~`;
export const MARK = /~(\w+)~/;

const pem = { type: "pkcs8", format: "pem" } as const;
/** Keys for every algorithm: which one is used, only the manifest's code knows. */
const keys = [
  () => mark("secret"),
  // In every encoding.
  () => "0123456789abcdef",
  () => String(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pem)),
  () => String(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export(pem)),
];

/** What the manifest sends for a token, with marks in place of what the client gives. */
export function expectedIssue(manifest: Manifest, issued: IssuedTokens): ReturnType<IssuedTokens["issue"]> {
  const settings = Object.fromEntries(Object.keys(manifest.settings ?? {}).map((name) => [name, mark(name)]));
  for (const key of keys) {
    const secret = key();
    const context: IssueContext = {
      credentials: { username: mark("username"), password: mark("password"), secret },
      settings,
      client_id: null,
      client_secret: null,
      private_key: secret,
      scopes: undefined,
      now: Date.now(),
    };
    try {
      return issued.issue(context);
    } catch (error) {
      if (!(error instanceof UnusableKey)) throw error;
    }
  }
  throw new Error(`${manifest.id}: no key can be used to issue a token`);
}
