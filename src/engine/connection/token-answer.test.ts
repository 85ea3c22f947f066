import { expect, it } from "vitest";
import { validToken } from "./token-answer.ts";

it("a token is valid if it can be sent in a header unchanged, up to 16 kB", () => {
  for (const access_token of ["a", "a b", "x".repeat(16_384)])
    expect(validToken({ access_token })).toEqual({ access_token });
  for (const access_token of ["", " a", "a\n", "ä", "x".repeat(16_385), 7, undefined])
    expect(validToken({ access_token })).toBeUndefined();
});

it("what else a token response has counts only if it is valid", () => {
  const lifetime = (expires_in: unknown) => validToken({ access_token: "a", expires_in })?.expires_in;
  expect([3600, "3600", 0, -1, "soon", null].map(lifetime)).toEqual([3600, 3600, ...Array(4).fill(undefined)]);
  expect(lifetime(1e12)).toBe(10 * 365 * 86_400);
  expect(validToken({ access_token: "a", refresh_token: "" })).toEqual({ access_token: "a" });
});
