import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { OAuth2 } from "../../contracts/authentication.ts";
import type { Connection } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { createRefresher, grantOf, type RefreshOptions } from "./refresh.ts";
import { GrantRefused } from "./token-answer.ts";

const NOW = Date.UTC(2026, 0, 1);
const oauth2 = { authorize: "authorize", token: "token", scopes: [] } as unknown as OAuth2;

const connectionWith = (token: string, change: Partial<Connection> = {}) =>
  testConnection({
    manifest: { auth: { oauth2 } },
    integration: { type: "oauth2", client_id: "client", client_secret: "hush" },
    record: { credentials: { token, refresh_token: "refresh" }, ...change },
  });
const stale = connectionWith("old", { settings: { account: "a" } });
const fresh = connectionWith("new");

const release = vi.fn();
const lock = vi.fn();
const reload = vi.fn();
const grants = { unsaved: vi.fn(), save: vi.fn(), markInvalid: vi.fn() };
const requestToken = vi.fn();
const refresh = vi.fn();

const newRefresher = () =>
  createRefresher({
    coordination: { lock },
    identities: { reload },
    grants,
    requestToken,
    issueToken: vi.fn(),
    telemetry: { refresh },
    tokenTimeoutMs: 5_000,
    callbackUrl: "https://plugboard.example/auth/callback",
  } as unknown as RefreshOptions);

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ now: NOW });
  release.mockResolvedValue(undefined);
  lock.mockResolvedValue({ release });
  reload.mockResolvedValue(stale);
  grants.save.mockResolvedValue(fresh);
  requestToken.mockResolvedValue({ access_token: "new", expires_in: 60 });
});
afterEach(() => vi.useRealTimers());

/** The outcome, with all waiting in between. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = work.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return outcome;
}

it("everybody who needs a refresh waits for the same one, which is stored before it is used", async () => {
  const { refreshOnce, settle } = newRefresher();
  const both = [refreshOnce(stale), refreshOnce(stale)];
  await settle();
  expect(await Promise.all(both)).toEqual([fresh, fresh]);
  expect(lock).toHaveBeenCalledExactlyOnceWith("refresh:conn_1", 15_000);
  expect(requestToken).toHaveBeenCalledOnce();
  expect(requestToken.mock.calls[0]![0]).toMatchObject({
    settings: { account: "a" },
    endpoint: { origin: "https://acme.example", path: "/token" },
    parameters: { grant_type: "refresh_token", refresh_token: "refresh" },
  });
  expect(requestToken.mock.calls[0]![0].parameters).not.toHaveProperty("redirect_uri");
  expect(grants.save).toHaveBeenCalledExactlyOnceWith(stale, {
    used: { refresh_token: "refresh" },
    change: {
      credentials: { token: "new", refresh_token: "refresh" },
      expires_at: new Date(NOW + 60_000).toISOString(),
      settings: { account: "a" },
      refreshed_at: new Date(NOW).toISOString(),
      is_valid: true,
      invalid_reason: null,
    },
  });
  expect(refresh.mock.calls).toEqual([
    [{ provider: "acme", connection_id: "conn_1", workspace_id: "ws_1", outcome: "renewed" }],
  ]);
  expect(release).toHaveBeenCalledOnce();
  await refreshOnce(stale);
  expect(lock).toHaveBeenCalledTimes(2);
});

it("calls to several providers of one login share a refresh, and each continues at its own provider", async () => {
  const { provider: other } = testConnection({ manifest: { id: "other" } });
  const { refreshOnce } = newRefresher();
  for (const [first, second] of [
    [stale, stale.at(other)],
    [stale.at(other), stale],
  ] as const) {
    grants.save.mockResolvedValueOnce(fresh.at(first.provider));
    const both = await Promise.all([refreshOnce(first), refreshOnce(second)]);
    expect(both.map(({ provider }) => provider)).toEqual([first.provider, second.provider]);
    expect(both.map(({ record }) => record.credentials.token)).toEqual(["new", "new"]);
  }
  expect(requestToken).toHaveBeenCalledTimes(2);
});

it("the provider is not asked if somebody else has refreshed the token, or a grant waits to be stored", async () => {
  reload.mockResolvedValueOnce(fresh);
  expect(await newRefresher().refreshOnce(stale)).toBe(fresh);
  expect(grants.save).not.toHaveBeenCalled();
  const unsaved = { used: {}, change: { credentials: { token: "new" } } };
  grants.unsaved.mockReturnValue(unsaved);
  reload.mockResolvedValue(connectionWith("old", { is_valid: false }));
  expect(await newRefresher().refreshOnce(stale)).toBe(fresh);
  expect(grants.save.mock.calls[0]![1]).toBe(unsaved);
  expect(requestToken).not.toHaveBeenCalled();
});

it("while another process refreshes, its token is waited for", async () => {
  lock.mockResolvedValue(undefined);
  reload.mockResolvedValueOnce(stale).mockResolvedValueOnce(fresh);
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toBe(fresh);
  expect(Date.now()).toBe(NOW + 200);
  expect(requestToken).not.toHaveBeenCalled();
  expect(refresh).not.toHaveBeenCalled();
});

it("a refresh of another process that was refused ends the waiting, and one that ended without a token is taken over", async () => {
  lock.mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined);
  reload.mockResolvedValueOnce(connectionWith("old", { is_valid: false, invalid_reason: "revoked" }));
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({
    kind: "refresh_failed",
    message: expect.stringContaining("(revoked)"),
  });
  expect(requestToken).not.toHaveBeenCalled();
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toBe(fresh);
  expect(requestToken).toHaveBeenCalledOnce();
});

it("a refresh of another process is waited for twice as long as its lock can last", async () => {
  lock.mockResolvedValue(undefined);
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({
    kind: "refresh_unavailable",
    message: "timed out waiting for another token refresh",
  });
  expect(Date.now()).toBe(NOW + 30_100);
});

it("a connection that cannot be refreshed has to be connected again, and nothing is sent", async () => {
  for (const change of [{ is_valid: false }, { credentials: { token: "old" } }]) {
    reload.mockResolvedValue(connectionWith("old", change));
    expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({ kind: "refresh_failed" });
  }
  expect(lock).toHaveBeenCalledTimes(2);
  expect(requestToken).not.toHaveBeenCalled();
  expect(refresh).not.toHaveBeenCalled();
});

it("a request that fails is tried three times with growing pauses, and reported once", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const failure = new Error("connection reset");
  requestToken.mockRejectedValue(failure);
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({
    kind: "refresh_unavailable",
    message: "the token could not be refreshed for now",
    cause: failure,
  });
  expect(requestToken).toHaveBeenCalledTimes(3);
  expect(Date.now()).toBe(NOW + 200 + 400);
  expect(release).toHaveBeenCalledTimes(3);
  expect(refresh.mock.calls).toMatchObject([[{ outcome: "failed", reason: "connection reset" }]]);
});

it("a request that no other attempt can help is made once, and its fault is kept if it says more", async () => {
  for (const [kind, seen] of [
    ["upstream_forbidden", "refresh_unavailable"],
    ["credentials_unreadable", "credentials_unreadable"],
  ] as const) {
    requestToken.mockReset().mockRejectedValue(new Fault(kind, "why"));
    expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({ kind: seen });
    expect(requestToken).toHaveBeenCalledOnce();
  }
});

it("a grant that the provider refuses makes the connection invalid, unless it has a newer one by now", async () => {
  requestToken.mockRejectedValue(new GrantRefused("invalid_grant", "gone"));
  expect(await outcomeOf(newRefresher().refreshOnce(stale))).toMatchObject({
    kind: "refresh_failed",
    message: expect.stringContaining("(invalid_grant: gone)"),
  });
  expect(grants.markInvalid).toHaveBeenCalledExactlyOnceWith(
    stale,
    { refresh_token: "refresh" },
    "invalid_grant: gone",
  );
  expect(requestToken).toHaveBeenCalledOnce();
  expect(refresh.mock.calls).toMatchObject([[{ outcome: "refused", reason: "invalid_grant: gone" }]]);
  reload.mockResolvedValueOnce(stale).mockResolvedValueOnce(fresh);
  expect(await newRefresher().refreshOnce(stale)).toBe(fresh);
});

it("a lock that cannot be released now does not fail the refresh, and is released as soon as that works", async () => {
  release.mockRejectedValueOnce(new Error("unavailable")).mockRejectedValueOnce(new Error("unavailable"));
  expect(await newRefresher().refreshOnce(stale)).toBe(fresh);
  await vi.runAllTimersAsync();
  expect(release).toHaveBeenCalledTimes(3);
});

it("a refreshed token keeps the sign-in that issued it, and its request has what the provider asks for", async () => {
  const sign_in = {
    issuer: "https://auth.example",
    names_issuer: false,
    token_endpoint: "https://auth.example/token",
    revocation_endpoint: null,
    resource: "https://mcp.example",
    client: null,
    client_auth: "body" as const,
  };
  const signedIn = testConnection({
    manifest: { auth: { oauth2: { ...oauth2, refreshWithRedirectUri: true } } },
    integration: { type: "oauth2" },
    record: { credentials: { token: "old", refresh_token: "refresh", sign_in } },
  });
  reload.mockResolvedValue(signedIn);
  await newRefresher().refreshOnce(signedIn);
  expect(grants.save.mock.calls[0]![1].change.credentials).toEqual({ token: "new", refresh_token: "refresh", sign_in });
  expect(requestToken.mock.calls[0]![0]).toMatchObject({
    endpoint: { origin: "https://auth.example", path: "/token" },
    parameters: { redirect_uri: "https://plugboard.example/auth/callback" },
  });
});

it("a token without an expiry lasts as long as the manifest says if it can be refreshed, and else until it is refused", () => {
  const short = { ...oauth2, lifetime: 10 };
  const answer = { access_token: "a" };
  expect(grantOf({ ...answer, refresh_token: "r2", expires_in: 5 }, short, "r1", 0)).toEqual({
    credentials: { token: "a", refresh_token: "r2" },
    expires_at: "1970-01-01T00:00:05.000Z",
  });
  expect(grantOf(answer, short, "r1", 0)).toEqual({
    credentials: { token: "a", refresh_token: "r1" },
    expires_at: "1970-01-01T00:00:10.000Z",
  });
  expect(grantOf(answer, short)).toEqual({ credentials: { token: "a" }, expires_at: null });
  expect(grantOf(answer, oauth2, "r1")).toMatchObject({ expires_at: null });
});
