import { describe, expect, test } from "vitest";
import type { Manifest } from "../../contracts/manifest.ts";
import monday from "./manifest.ts";

const manifest: Manifest = monday;

describe("answers with errors", () => {
  const failed = (status: number, body: object | null) => manifest.failed!({ status, headers: {}, body });
  const withError = (extensions: object) => ({ data: null, errors: [{ message: "No", extensions }] });

  test.each([
    [{ code: "COMPLEXITY_BUDGET_EXHAUSTED", status_code: 200 }, 429],
    [{ code: "DAILY_LIMIT_EXCEEDED" }, 429],
    [{ code: "UserUnauthorizedException", status_code: 403 }, 403],
    [{ code: "ResourceNotFoundException", status_code: 404 }, 404],
    [{ code: "SomethingNew", status_code: 422 }, 422],
    [{ code: "CursorExpiredError", status_code: 200 }, 400],
    [{}, 400],
  ])("an error with %j counts as %i", (extensions, expected) => {
    expect(failed(200, withError(extensions))).toBe(expected);
  });

  test("an error that is only a text counts as 400, and partial data does not hide an error", () => {
    expect(failed(200, { errors: ["No"] })).toBe(400);
    expect(failed(200, { data: { me: {} }, errors: [{ message: "No" }] })).toBe(400);
  });

  test("a board or an item that does not exist counts as 404, the end of a list of boards does not", () => {
    expect(failed(200, { data: { board: [] } })).toBe(404);
    expect(failed(200, { data: { item: [] } })).toBe(404);
    expect(failed(200, { data: { board: [{}] } })).toBeUndefined();
    expect(failed(200, { data: { boards: [] } })).toBeUndefined();
    expect(failed(200, null)).toBeUndefined();
  });

  test("a status other than 200 or 400 is kept", () => {
    expect(failed(401, { errors: ["Not Authenticated"] })).toBeUndefined();
    expect(failed(502, withError({ code: "InternalServerError" }))).toBeUndefined();
  });

  test("the wait after a complexity error is the one that it names", () => {
    const wait = (body: object) => manifest.retryAfter!({ status: 200, headers: {}, body });
    expect(wait(withError({ code: "COMPLEXITY_BUDGET_EXHAUSTED", retry_in_seconds: 47 }))).toBe(47);
    expect(wait({ errors: ["Not Authenticated"] })).toBeUndefined();
    expect(wait({ data: {} })).toBeUndefined();
  });
});

test("keys and tokens are sent as they are", () => {
  for (const auth of ["api_key", "oauth2"] as const)
    expect(manifest.authorization!({ token: "made-up" }, auth).headers).toEqual({ authorization: "made-up" });
});
