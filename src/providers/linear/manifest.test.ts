import { describe, expect, test } from "vitest";
import type { Manifest } from "../../contracts/manifest.ts";
import type { Answer } from "../../contracts/upstream.ts";
import linear from "./manifest.ts";

const manifest: Manifest = linear;

describe("answers with errors", () => {
  const answer = (status: number, error?: object): Answer => ({
    status,
    headers: {},
    body: error ? { data: null, errors: [error] } : { data: {} },
  });
  const status = (of: number, extensions: object, message = "No") =>
    manifest.failed!(answer(of, { message, extensions }));

  test.each([
    [{ type: "authentication error", code: "AUTHENTICATION_ERROR" }, 401],
    [{ code: "AUTHENTICATION_ERROR" }, 401],
    [{ type: "forbidden" }, 403],
    [{ type: "feature not accessible" }, 403],
    [{ type: "ratelimited", code: "RATELIMITED" }, 429],
    [{ code: "RATELIMITED" }, 429],
    [{ type: "invalid input", code: "INVALID_INPUT" }, 400],
    [{ type: "internal error" }, 400],
    [{}, 400],
  ])("an error with %j counts as %i, with status 200 as with 400", (extensions, expected) => {
    expect(status(200, extensions)).toBe(expected);
    expect(status(400, extensions)).toBe(expected);
  });

  test("an entity that does not exist counts as 404", () => {
    expect(status(200, { type: "invalid input", code: "INPUT_ERROR" }, "Entity not found: Issue")).toBe(404);
  });

  test("an error without extensions counts as 400, and an answer without errors is no failure", () => {
    expect(manifest.failed!(answer(200, { message: "Oh" }))).toBe(400);
    expect(manifest.failed!(answer(200))).toBeUndefined();
    expect(manifest.failed!({ status: 200, headers: {}, body: null })).toBeUndefined();
    expect(manifest.failed!({ status: 200, headers: {}, body: { errors: [], data: {} } })).toBeUndefined();
  });

  test("a status other than 200 or 400 is kept", () => {
    expect(status(502, { type: "internal error" })).toBeUndefined();
    expect(status(401, { code: "AUTHENTICATION_ERROR" })).toBeUndefined();
  });
});

test("the wait after a rate limit error lasts until every exhausted budget is reset", () => {
  const wait = (headers: Record<string, string>) => manifest.retryAfter!({ status: 400, headers, body: null });
  const inSeconds = (seconds: number) => String(Date.now() + seconds * 1000);
  expect(wait({})).toBeUndefined();
  expect(wait({ "x-ratelimit-requests-remaining": "12", "x-ratelimit-requests-reset": inSeconds(9) })).toBeUndefined();
  expect(wait({ "x-ratelimit-requests-remaining": "0" })).toBeUndefined();
  expect(wait({ "x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": inSeconds(-9) })).toBe(0);
  const both = {
    "x-ratelimit-requests-remaining": "0",
    "x-ratelimit-requests-reset": inSeconds(100),
    "x-ratelimit-complexity-remaining": "0",
    "x-ratelimit-complexity-reset": inSeconds(1000),
  };
  expect(wait(both)).toBeGreaterThan(100);
});

test("a personal key is sent as it is, a token as Bearer", () => {
  const sent = (auth: "api_key" | "oauth2") => manifest.authorization!({ token: "made-up" }, auth).headers;
  expect(sent("api_key")).toEqual({ authorization: "made-up" });
  expect(sent("oauth2")).toEqual({ authorization: "Bearer made-up" });
});
