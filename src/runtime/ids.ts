import { hash, randomBytes } from "node:crypto";
import { MCP_TOKEN_PREFIX } from "../contracts/mcp-grants.ts";
import { SESSION_TOKEN_PREFIX } from "../contracts/session-token.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The largest multiple of the alphabet's length in a byte: higher bytes would favor some characters. */
const BYTE_LIMIT = 256 - (256 % ALPHABET.length);

function random(length: number): string {
  let text = "";
  while (text.length < length)
    for (const byte of randomBytes(length - text.length))
      if (byte < BYTE_LIMIT) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** The prefix and 24 random letters and digits, such as `conn_…`. Never contains a dot. */
export const newId = (
  prefix:
    | "att"
    | "aud"
    | "cf"
    | "client"
    | "conn"
    | "cs"
    | "dlv"
    | "evt"
    | "grant"
    | "hook"
    | "int"
    | "key"
    | "log"
    | "mcp"
    | "msi"
    | "sub"
    | "tp"
    | "wh"
    | "ws",
): string => `${prefix}_${random(24)}`;

/** The key itself is shown only once; its hash and its first characters are stored. */
export function newApiKey(): { key: string; hash: string; prefix: string } {
  const key = `sk_${random(48)}`;
  return { key, hash: hash("sha256", key), prefix: key.slice(0, 9) };
}

const newToken = (prefix: string): { token: string; hash: string } => {
  const token = prefix + random(48);
  return { token, hash: hash("sha256", token) };
};

/** Only their hashes are stored. */
export const newSessionToken = () => newToken(SESSION_TOKEN_PREFIX);
export const newLinkToken = () => newToken("pbl_");
export const newMcpToken = () => newToken(MCP_TOKEN_PREFIX);
export const newMcpRefreshToken = () => newToken("pbr_");
export const newMcpCode = () => newToken("pbc_");

/** A key for signing webhooks, as https://www.standardwebhooks.com writes it. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
