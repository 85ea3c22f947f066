import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { readText } from "../support/upstream.ts";
import type { Random } from "./random.ts";

/** One use of a refresh token. */
export interface TokenRequest {
  /** The Plugboard process that sent it, with the number of its life. */
  process: string;
  at: number;
  outcome: "fault" | "refreshed" | "refused";
  /** The access token that was issued. */
  accessToken?: string;
}

/** A request that created an issue. */
interface IssueRequest {
  process: string;
  at: number;
}

const REPOSITORIES = 3;
const FAULT_PROBABILITY = 0.08;
const MAX_DELAY_MS = 1500;

/**
 * The suite's own provider, with the paths of a self-hosted GitHub. It answers each call with the data of the token's
 * account, rotates refresh tokens, accepts each of them once, and fails at random.
 */
export async function startProvider(random: Random, tokenSeconds: number) {
  const accessTokens = new Map<string, { account: string; expiresAt: number }>();
  const refreshTokens = new Map<string, { account: string; requests: TokenRequest[] }>();
  /** Access tokens that were used in a call. */
  const usedTokens = new Set<string>();
  const calls = new Map<string, number>();
  const notes = new Map<string, number>();
  /** Every request to create an issue, by its title. */
  const issues = new Map<string, IssueRequest[]>();
  let faulty = false;

  function grant(account: string, expires: boolean) {
    const access = `made-up-access-${randomUUID()}`;
    const refresh = `made-up-refresh-${randomUUID()}`;
    const expiresAt = expires ? Date.now() + tokenSeconds * 1000 : Number.POSITIVE_INFINITY;
    accessTokens.set(access, { account, expiresAt });
    refreshTokens.set(refresh, { account, requests: [] });
    return { access, refresh };
  }

  /** May fail before anything is done; true if the request has been answered or dropped. */
  async function injectFault(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (!faulty || !random.happens(FAULT_PROBABILITY)) return false;
    const kind = random.pick(["status", "limit", "drop", "truncate", "delay"] as const);
    if (kind === "delay") {
      await wait(random.between(20, MAX_DELAY_MS));
      return false;
    }
    if (kind === "drop") request.socket.destroy();
    if (kind === "status") send(response, random.pick([500, 502, 503]), { fault: true });
    if (kind === "limit") send(response, 429, { fault: true }, { "retry-after": "0" });
    if (kind === "truncate") {
      response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
      response.write("[", () => request.socket.destroy());
    }
    return true;
  }

  async function issueToken(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const token = new URLSearchParams(text).get("refresh_token") ?? "";
    const known = refreshTokens.get(token);
    const entry: TokenRequest = {
      process: String(request.headers["x-chaos-process"]),
      at: Date.now(),
      outcome: "fault",
    };
    known?.requests.push(entry);
    if (await injectFault(request, response)) return;
    if (!known || known.requests.some(({ outcome }) => outcome === "refreshed")) {
      entry.outcome = "refused";
      return send(response, 400, { error: "invalid_grant", error_description: "it was used before" });
    }
    const { access, refresh } = grant(known.account, true);
    entry.outcome = "refreshed";
    entry.accessToken = access;
    // The token is issued, but its client may be gone before the answer arrives.
    if (faulty && random.happens(0.2)) await wait(random.between(20, MAX_DELAY_MS));
    send(response, 200, {
      access_token: access,
      refresh_token: refresh,
      expires_in: tokenSeconds,
      token_type: "bearer",
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const path = request.url!.split("?")[0]!;
    if (path === "/login/oauth/access_token") return issueToken(request, response, text);
    // Revocations are accepted and ignored.
    if (path.startsWith("/api/v3/applications/")) return send(response, 204);
    const token = String(request.headers.authorization).replace(/^Bearer /, "");
    const owner = accessTokens.get(token);
    if (owner) {
      usedTokens.add(token);
      // Connecting reads whose account it is, which no limit counts.
      if (path !== "/api/v3/user") calls.set(owner.account, (calls.get(owner.account) ?? 0) + 1);
    }
    if (!owner || owner.expiresAt <= Date.now()) return send(response, 401, { message: "Bad credentials" });
    const { account } = owner;
    if (!account.startsWith("burst") && (await injectFault(request, response))) return;
    if (path === "/api/v3/user/repos") return send(response, 200, repositoriesOf(account));
    if (path === "/api/v3/notes") {
      notes.set(text, (notes.get(text) ?? 0) + 1);
      return send(response, 201, { account, note: text });
    }
    if (/^\/api\/v3\/repos\/[^/]+\/[^/]+\/issues$/.test(path))
      return createIssue(request, response, JSON.parse(text).title);
    send(response, 200, { account });
  }

  /** The issue is created, but its client may never hear of it. */
  async function createIssue(request: IncomingMessage, response: ServerResponse, title: string): Promise<void> {
    const requests = issues.get(title) ?? [];
    issues.set(title, [...requests, { process: String(request.headers["x-chaos-process"]), at: Date.now() }]);
    if (faulty && random.happens(0.05)) return void request.socket.destroy();
    if (faulty && random.happens(0.2)) await wait(random.between(20, MAX_DELAY_MS));
    if (faulty && random.happens(0.03)) return send(response, 500, { fault: true });
    const number = issues.size;
    send(response, 201, {
      id: number,
      number,
      title,
      body: null,
      state: "open",
      html_url: `https://git.example/issues/${number}`,
      user: null,
      created_at: TIME,
      updated_at: TIME,
      closed_at: null,
    });
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    tokenSeconds,
    /** Issues tokens for an account, as after a consent. */
    grant,
    /** Starts or stops the random faults. */
    setFaulty(yes: boolean) {
      faulty = yes;
    },
    refreshTokens,
    usedTokens,
    /** Calls with a token of the account, valid or expired. */
    callsOf: (account: string) => calls.get(account) ?? 0,
    notes,
    issues,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

const TIME = "2026-01-01T00:00:00Z";

const repositoriesOf = (account: string) =>
  Array.from({ length: REPOSITORIES }, (_, id) => ({
    id,
    name: `repository-${id}`,
    full_name: `${account}/repository-${id}`,
    description: null,
    html_url: `https://git.example/${account}/repository-${id}`,
    created_at: TIME,
    updated_at: TIME,
    pushed_at: TIME,
  }));

export const namesOf = (account: string) => repositoriesOf(account).map(({ full_name }) => full_name);

function send(response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
