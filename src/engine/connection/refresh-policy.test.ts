import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { Fault } from "../../contracts/fault.ts";
import { isNewer, isRefreshable, mustReconnect, reconnectRequired, tokenAction } from "./refresh-policy.ts";

const MADE = Date.parse("2026-01-01T00:00:00.000Z");
const hour = 3_600_000;
const connection = (lifetimeMs: number | null) =>
  testConnection({
    record: {
      created_at: new Date(MADE).toISOString(),
      expires_at: lifetimeMs === null ? null : new Date(MADE + lifetimeMs).toISOString(),
    },
  });
const action = (lifetimeMs: number | null, ageMs: number, canRefresh = true) =>
  tokenAction(connection(lifetimeMs), () => canRefresh, MADE + ageMs);

it("a token without an expiry is used", () => {
  expect(action(null, 1000 * hour)).toBe("use");
});

it("a token is used until a minute before its expiry, then refreshed early, and refreshed once it has expired", () => {
  expect(action(hour, hour - 60_001)).toBe("use");
  expect(action(hour, hour - 60_000)).toBe("refresh-early");
  expect(action(hour, hour - 1)).toBe("refresh-early");
  expect(action(hour, hour)).toBe("refresh");
});

it("a token that lives for less than two minutes is used for half of its lifetime", () => {
  expect(action(60_000, 29_999)).toBe("use");
  expect(action(60_000, 30_000)).toBe("refresh-early");
});

it("a token that cannot be refreshed is used until it has expired", () => {
  expect(action(hour, hour - 1, false)).toBe("use");
  expect(action(hour, hour, false)).toBe("revoked");
});

it("only an OAuth connection with a refresh token can be refreshed", () => {
  const oauth2 = { type: "oauth2" } as const;
  const refreshable = { credentials: { token: "t", refresh_token: "r" } };
  expect(isRefreshable(testConnection({ integration: oauth2, record: refreshable }))).toBe(true);
  expect(isRefreshable(testConnection({ integration: oauth2 }))).toBe(false);
  expect(isRefreshable(testConnection({ record: refreshable }))).toBe(false);
});

it("a connection is newer if its token or the time of its refresh changed, and it has not expired", () => {
  const before = testConnection();
  const refreshed_at = "2026-01-02T00:00:00.000Z";
  expect(isNewer(testConnection(), before)).toBe(false);
  expect(isNewer(testConnection({ record: { credentials: { token: "new" } } }), before)).toBe(true);
  expect(isNewer(testConnection({ record: { refreshed_at } }), before)).toBe(true);
  expect(isNewer(testConnection({ record: { refreshed_at, expires_at: "2020-01-01T00:00:00.000Z" } }), before)).toBe(
    false,
  );
});

it("an invalid connection is not used before its token expires, only a grant that is not stored yet helps", () => {
  const invalid = testConnection({ record: { is_valid: false } });
  expect(tokenAction(invalid, () => false)).toBe("revoked");
  expect(tokenAction(invalid, () => true)).toBe("refresh");
});

it("a connection that is no longer valid is reported with its reason", () => {
  expect(reconnectRequired("invalid_grant")).toMatchObject({
    kind: "refresh_failed",
    message: "the connection is no longer valid (invalid_grant): connect again",
  });
  expect(reconnectRequired(null).message).toBe("the connection is no longer valid: connect again");
});

it("only a permanent refusal of a refresh means that the user has to connect again", () => {
  expect(mustReconnect(reconnectRequired(null))).toBe(true);
  expect(mustReconnect(new Fault("refresh_unavailable", "no answer"))).toBe(false);
  expect(mustReconnect(Object.assign(new Error("other"), { kind: "refresh_failed" }))).toBe(false);
});
