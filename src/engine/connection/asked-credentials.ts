import type { Credentials } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import { hasOwnClient } from "./issue-token.ts";

/** A credential that the user is asked for. */
export interface AskedCredential {
  name: Exclude<keyof Credentials, "sign_in">;
  label: string;
  isSecret: boolean;
  /** It has several lines. */
  isLong?: boolean;
}

/** What users of an integration are asked for besides settings, and the page where they find it. */
export function askedCredentials(
  manifest: Manifest,
  integration: Integration,
): { asked: AskedCredential[]; help: string } {
  const { type } = integration;
  const { api_key, basic } = manifest.auth;
  if (type === "api_key" && api_key)
    return { asked: [{ name: "token", label: api_key.label, isSecret: true }], help: api_key.help };
  if (type === "basic" && basic) {
    const { username, password, help } = basic;
    // Without a password, the user name is a key.
    if (password === undefined) return { asked: [{ name: "username", label: username, isSecret: true }], help };
    return {
      asked: [
        { name: "username", label: username, isSecret: false },
        { name: "password", label: password, isSecret: true },
      ],
      help,
    };
  }
  const issued = issuedTokens(manifest, type);
  if (!issued || hasOwnClient(issued, integration)) return { asked: [], help: issued?.help ?? "" };
  const { asks, help, isLong = false } = issued;
  const asked = (["username", "password", "secret"] as const).flatMap((name) =>
    asks[name] === undefined
      ? []
      : [{ name, label: asks[name], isSecret: name !== "username", isLong: isLong && name === "secret" }],
  );
  return { asked, help };
}
