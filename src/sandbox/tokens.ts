import { createHmac, timingSafeEqual } from "node:crypto";
import type { RefusedToken } from "../contracts/emulator.ts";

/** Far from any real provider's form, and from the keys that people make up to try a form. */
const PREFIX = { access: "sbxa_", refresh: "sbxr_", key: "sbxk_" } as const;
const SIGNATURE_LENGTH = 24;
const MADE_UP_KEY = "sandbox-";

export type TokenKind = keyof typeof PREFIX;

export interface Token {
  kind: TokenKind;
  account: string;
  /** Higher for each later token: microseconds since 1970, or one more than the token before. */
  issued: number;
  /** All tokens that go back to one consent share it. */
  grant: string;
  /** Milliseconds since 1970. */
  expires?: number;
  /** To whom it was given; a token of a ready-made connection is anyone's. */
  client?: string;
}

export type ReadToken = { token: Token; refused?: undefined } | { token?: undefined; refused: RefusedToken };

/** Matches every token of ours, wherever it stands in a text. */
export const tokenPattern = /\bsbx[ark]_[\w-]+\.[\w-]+/g;

let lastIssued = 0;
function nextIssue(): number {
  lastIssued = Math.max(lastIssued + 1, Date.now() * 1000);
  return lastIssued;
}

/**
 * The tokens of one emulated provider. They prove themselves by a signature, so that a restarted sandbox, or another
 * one with the same secret, takes them; only what became of them (used, revoked, expired early) is kept in memory.
 */
export function createTokens(options: { secret: Buffer; provider: string; account: string; madeUpKeys: boolean }) {
  const { secret, provider, account, madeUpKeys } = options;
  const revoked = new Set<string>();
  const used = new Set<number>();
  /** Access tokens issued before this count as expired. */
  let expiredBefore = 0;

  const sign = (text: string) =>
    createHmac("sha256", secret).update(`${provider}\n${text}`).digest("base64url").slice(0, SIGNATURE_LENGTH);

  function open(text: string): Token | undefined {
    if (madeUpKeys && text.startsWith(MADE_UP_KEY) && text.length > MADE_UP_KEY.length)
      return { kind: "key", account, issued: 0, grant: text };
    const dot = text.lastIndexOf(".");
    if (dot < 0) return undefined;
    const signed = Buffer.from(text.slice(dot + 1));
    const expected = Buffer.from(sign(text.slice(0, dot)));
    if (signed.length !== expected.length || !timingSafeEqual(signed, expected)) return undefined;
    return JSON.parse(Buffer.from(text.slice(PREFIX.access.length, dot), "base64url").toString());
  }

  return {
    issue(kind: TokenKind, given: { grant?: string; client?: string; lifetime?: number } = {}): string {
      const issued = nextIssue();
      const token: Token = {
        kind,
        account,
        issued,
        grant: given.grant ?? String(issued),
        client: given.client,
        expires: given.lifetime === undefined ? undefined : Date.now() + given.lifetime * 1000,
      };
      const text = PREFIX[kind] + Buffer.from(JSON.stringify(token)).toString("base64url");
      return `${text}.${sign(text)}`;
    },

    read(text: string | undefined): ReadToken {
      if (!text) return { refused: "missing" };
      const token = open(text);
      if (!token) return { refused: "unknown" };
      if (revoked.has(token.grant)) return { refused: "revoked" };
      if (token.kind === "refresh" && used.has(token.issued)) return { refused: "revoked" };
      if (token.kind === "access" && token.issued < expiredBefore) return { refused: "expired" };
      if (token.expires !== undefined && token.expires <= Date.now()) return { refused: "expired" };
      return { token };
    },

    useUp(token: Token): void {
      used.add(token.issued);
    },

    revoke(text: string): boolean {
      const token = open(text);
      if (!token || revoked.has(token.grant)) return false;
      revoked.add(token.grant);
      return true;
    },

    expireAccess(): void {
      expiredBefore = nextIssue();
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
