import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { tokenAction } from "./refresh-policy.ts";

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
