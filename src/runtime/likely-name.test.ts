import { expect, it } from "vitest";
import { likelyName } from "./likely-name.ts";

const NAMES = ["limit", "after", "params", "DATABASE_URL", "UPSTREAM_TIMEOUT_MS", "UPSTREAM_RETRY_TIMEOUT_MS"];

it.each([
  ["limti", "limit"],
  ["limits", "limit"],
  ["Limit", "limit"],
  ["param", "params"],
  ["DATABSE_URL", "DATABASE_URL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["DATBASE_ULR", "DATABASE_URL"],
  ["UPSTREAM_TIMEOUT", undefined],
  ["lmt", undefined],
  ["page", undefined],
  ["DATABASE", undefined],
  ["", undefined],
])("%j probably means %j", (given, meant) => {
  expect(likelyName(given, NAMES)).toBe(meant);
});

it("of several names the nearest one is meant", () => {
  expect(likelyName("RATE_LIMITS", ["RATE_LIMITED", "RATE_LIMIT"])).toBe("RATE_LIMIT");
  expect(likelyName("RATE_LIMT", ["RATE_TILT", "RATE_LIMIT"])).toBe("RATE_LIMIT");
});
