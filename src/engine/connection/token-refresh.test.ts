import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { OAuth2 } from "../../contracts/authentication.ts";
import type { Connection, Integration } from "../../contracts/entities.ts";
import { GrantRefused } from "./token-answer.ts";
import { createTokenKeeper } from "./token-refresh.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

const connectionWith = (record: Partial<Connection> = {}, integration: Partial<Integration> = {}) =>
  testConnection({
    manifest: { auth: { oauth2: { token: "token", scopes: [] } as unknown as OAuth2 } },
    integration: { type: "oauth2", client_id: "client", client_secret: "hush", ...integration },
    record: { credentials: { token: "old", refresh_token: "refresh" }, refreshed_at: at(-3600), ...record },
  });
const fresh = connectionWith({ credentials: { token: "new", refresh_token: "refresh" }, expires_at: at(3600) });
const soon = connectionWith({ expires_at: at(30) });
const expired = connectionWith({ expires_at: at(0) });

const requestToken = vi.fn();
const reload = vi.fn();
const isRefusedByApi = vi.fn();
const updateIfUnchanged = vi.fn();

const newKeeper = () =>
  createTokenKeeper({
    isRefusedByApi,
    store: { connections: { updateIfUnchanged } },
    coordination: { lock: async () => ({ release: async () => {} }), invalidate: async () => {} },
    identities: { reload },
    requestToken,
    issueToken: vi.fn(),
    revoke: vi.fn(),
    telemetry: { refresh() {}, warn() {} },
    tokenTimeoutMs: 5_000,
    callbackUrl: "https://plugboard.example/auth/callback",
  } as never);

/** The stored connection before and after a refresh. */
const stored = (connection: typeof fresh) =>
  reload.mockReset().mockResolvedValueOnce(connection).mockResolvedValue(fresh);

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ now: NOW });
  requestToken.mockResolvedValue({ access_token: "new", expires_in: 3600 });
  updateIfUnchanged.mockResolvedValue(true);
});
afterEach(() => vi.useRealTimers());

it("a token that is valid for long enough is used, and one that has expired is refreshed first", async () => {
  const { withValidToken } = newKeeper();
  expect(await withValidToken(fresh)).toBe(fresh);
  expect(requestToken).not.toHaveBeenCalled();
  stored(expired);
  expect(await withValidToken(expired)).toBe(fresh);
  const lost = connectionWith({ expires_at: at(0), credentials: { token: "old" } });
  await expect(Promise.try(() => withValidToken(lost))).rejects.toMatchObject({
    kind: "refresh_failed",
    message: expect.stringContaining("it has expired, and there is no refresh token"),
  });
  const revoked = connectionWith({ is_valid: false, invalid_reason: "gone" });
  await expect(Promise.try(() => withValidToken(revoked))).rejects.toThrow("(gone)");
});

it("a token is not sent to another server than the one that it was issued for", async () => {
  const sign_in = { resource: "https://mcp.example/mcp", client: null, client_auth: "body" } as never;
  const signedIn = (mcp_url: string) => connectionWith({ credentials: { token: "old", sign_in } }, { mcp_url });
  const { withValidToken } = newKeeper();
  await withValidToken(signedIn("https://mcp.example/mcp"));
  await expect(Promise.try(() => withValidToken(signedIn("https://elsewhere.example/mcp")))).rejects.toThrow(
    "has another address now",
  );
});

it("a token that expires soon is refreshed; if that fails, it is used, and not tried again for ten seconds", async () => {
  const { withValidToken } = newKeeper();
  stored(soon);
  expect(await withValidToken(soon)).toBe(fresh);
  requestToken.mockReset().mockRejectedValue(new Error("reset"));
  reload.mockReset().mockResolvedValue(soon);
  const failing = withValidToken(soon);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await failing).toBe(soon);
  expect(requestToken).toHaveBeenCalledTimes(3);
  expect(await withValidToken(soon)).toBe(soon);
  expect(requestToken).toHaveBeenCalledTimes(3);
  vi.setSystemTime(NOW + 12_000);
  void withValidToken(soon);
  await vi.advanceTimersByTimeAsync(0);
  expect(requestToken).toHaveBeenCalledTimes(4);
  await vi.runAllTimersAsync();
});

it("an early refresh that takes long is not waited for, unless the token expires meanwhile", async () => {
  const { withValidToken } = newKeeper();
  const answer = Promise.withResolvers();
  requestToken.mockReturnValue(answer.promise);
  stored(soon);
  const call = withValidToken(soon);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await call).toBe(soon);

  const moments = connectionWith({ id: "conn_2", expires_at: at(5) });
  stored(moments);
  const other = withValidToken(moments);
  await vi.advanceTimersByTimeAsync(3_000);
  answer.resolve({ access_token: "new", expires_in: 3600 });
  expect(await other).toBe(fresh);
});

it("an early refresh that is refused for good ends the connection at once", async () => {
  requestToken.mockRejectedValue(new GrantRefused("invalid_grant", undefined));
  reload.mockResolvedValue(soon);
  await expect(newKeeper().withValidToken(soon)).rejects.toMatchObject({ kind: "refresh_failed" });
});

it("a token that the provider refuses is refreshed, but not again and again if that does not help", async () => {
  const keeper = newKeeper();
  stored(soon);
  expect(await keeper.refreshRefusedToken(soon)).toBe(fresh);
  keeper.refusedAgain(fresh);
  expect(await keeper.refreshRefusedToken(fresh)).toBeUndefined();
  expect(requestToken).toHaveBeenCalledOnce();
  // A call that succeeds shows that the token was not the reason, or no longer is.
  await keeper.noteStatus(fresh, 200);
  stored(fresh);
  await keeper.refreshRefusedToken(fresh);
  expect(requestToken).toHaveBeenCalledTimes(2);
});

it("a refused token that cannot be refreshed for now leaves the answer as it is", async () => {
  requestToken.mockRejectedValueOnce(new GrantRefused("invalid_grant", undefined));
  reload.mockResolvedValue(soon);
  await expect(newKeeper().refreshRefusedToken(soon)).rejects.toMatchObject({ kind: "refresh_failed" });
  requestToken.mockRejectedValue(new Error("reset"));
  const outcome = newKeeper().refreshRefusedToken(soon);
  await vi.runAllTimersAsync();
  expect(await outcome).toBeUndefined();
});

it("credentials that cannot be refreshed become invalid after three refusals in a row", async () => {
  const { noteStatus } = newKeeper();
  isRefusedByApi.mockResolvedValue(true);
  const key = connectionWith({ credentials: { token: "key" } });
  for (const status of [401, 401, 299, 401, 401, 403]) await noteStatus(key, status);
  for (let count = 0; count < 3; count++) await noteStatus(soon, 401);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
  await noteStatus(key, 401);
  expect(updateIfUnchanged).toHaveBeenCalledOnce();
});
