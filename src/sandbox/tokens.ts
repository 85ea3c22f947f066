import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { RefusedToken } from "../contracts/emulator.ts";

/** Unlike any real provider's tokens, and unlike the keys that people make up to try a form. */
const PREFIX = { access: "sbxa_", refresh: "sbxr_", key: "sbxk_" } as const;
const SIGNATURE_LENGTH = 24;
const MADE_UP_KEY_PREFIX = "sandbox-";
/** Tokens that clients have made themselves and that are remembered. */
const MAX_MADE = 10_000;

export type TokenKind = keyof typeof PREFIX;

export interface Token {
  kind: TokenKind;
  account: string;
  /** Increases with each token: microseconds since 1970, or the previous token's value plus one. */
  issued: number;
  /** Shared by all tokens from the same consent. */
  grant: string;
  /** Milliseconds since 1970. */
  expires?: number;
  /** The client it was issued to; absent for a ready-made connection, whose token any client may use. */
  client?: string;
}

export type ReadToken = { token: Token; refused?: undefined } | { token?: undefined; refused: RefusedToken };

/** Matches every sandbox token within a text. */
export const tokenPattern = /\bsbx[ark]_[\w-]+\.[\w-]+/g;

let lastIssued = 0;
function nextIssue(): number {
  lastIssued = Math.max(lastIssued + 1, Date.now() * 1000);
  return lastIssued;
}

/**
 * The tokens of one emulated provider. They are signed, so a restarted sandbox, or another one with the same secret,
 * accepts them. Only their later state (used, revoked, expired early) is kept in memory.
 */
export function createTokens(options: {
  secret: KeyObject;
  provider: string;
  account: string;
  acceptMadeUpKeys: boolean;
}) {
  const { secret, provider, account, acceptMadeUpKeys } = options;
  const revoked = new Set<string>();
  const used = new Set<number>();
  /** Access tokens issued before this count as expired. */
  let expiredBefore = 0;
  /** Tokens and keys issued before this count as revoked, except for made-up keys, which are never issued. */
  let revokedBefore = 0;

  const sign = (text: string) =>
    createHmac("sha256", secret).update(`${provider}\n${text}`).digest("base64url").slice(0, SIGNATURE_LENGTH);

  function verify(text: string): Token | undefined {
    if (acceptMadeUpKeys && text.startsWith(MADE_UP_KEY_PREFIX) && text.length > MADE_UP_KEY_PREFIX.length)
      return { kind: "key", account, issued: 0, grant: text };
    const dot = text.lastIndexOf(".");
    if (dot < 0) return undefined;
    const signature = Buffer.from(text.slice(dot + 1));
    const expected = Buffer.from(sign(text.slice(0, dot)));
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined;
    return JSON.parse(Buffer.from(text.slice(PREFIX.access.length, dot), "base64url").toString());
  }

  const made = new Map<string, number>();

  /** Whether a genuine token is still accepted. */
  function currentState(token: Token): ReadToken {
    if (revoked.has(token.grant)) return { refused: "revoked" };
    if (token.issued > 0 && token.issued < revokedBefore) return { refused: "revoked" };
    if (token.kind === "refresh" && used.has(token.issued)) return { refused: "revoked" };
    if (token.kind === "access" && token.issued < expiredBefore) return { refused: "expired" };
    if (token.expires !== undefined && token.expires <= Date.now()) return { refused: "expired" };
    return { token };
  }

  return {
    issue(
      kind: TokenKind,
      options: { grant?: string; client?: string | undefined; lifetime?: number; account?: string } = {},
    ): string {
      const issued = nextIssue();
      const token: Token = {
        kind,
        account: options.account ?? account,
        issued,
        grant: options.grant ?? String(issued),
        client: options.client,
        expires: options.lifetime === undefined ? undefined : Date.now() + options.lifetime * 1000,
      };
      const text = PREFIX[kind] + Buffer.from(JSON.stringify(token)).toString("base64url");
      return `${text}.${sign(text)}`;
    },

    read(text: string | undefined): ReadToken {
      if (!text) return { refused: "missing" };
      const token = verify(text);
      return token ? currentState(token) : { refused: "unknown" };
    },

    /** A token that the client has made itself: it counts as issued when it is first seen. */
    readMade(text: string): ReadToken {
      if (made.size >= MAX_MADE) made.clear();
      const issued = made.get(text) ?? nextIssue();
      made.set(text, issued);
      return currentState({ kind: "access", account, issued, grant: text });
    },

    markUsed(token: Token): void {
      used.add(token.issued);
    },

    revoke(text: string): boolean {
      const token = verify(text);
      if (!token || revoked.has(token.grant)) return false;
      revoked.add(token.grant);
      return true;
    },

    expireAccessTokens(): void {
      expiredBefore = nextIssue();
    },

    revokeAll(): void {
      revokedBefore = nextIssue();
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
