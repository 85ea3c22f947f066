import type { OauthV2AccessResponse } from "@slack/web-api";
import { describe, expect, test } from "vitest";
import type { Manifest } from "../../contracts/manifest.ts";
import slack from "./manifest.ts";

const manifest: Manifest = slack;

test.each([
  ["not_authed", 401],
  ["invalid_auth", 401],
  ["account_inactive", 401],
  ["token_revoked", 401],
  ["token_expired", 401],
  ["missing_scope", 403],
  ["not_in_channel", 403],
  ["channel_not_found", 404],
  ["user_not_found", 404],
  ["unknown_method", 404],
  ["ratelimited", 429],
  ["rate_limited", 429],
  ["fatal_error", 503],
  ["internal_error", 503],
  ["request_timeout", 503],
  ["service_unavailable", 503],
  ["team_added_to_org", 503],
  ["invalid_arguments", 400],
  ["something_new", 400],
])("the error %s in a 200 counts as %i", (error, status) => {
  expect(manifest.failed!({ status: 200, headers: {}, body: { ok: false, error } })).toBe(status);
});

test("an answer with an error status keeps that status", () => {
  expect(manifest.failed!({ status: 503, headers: {}, body: { ok: false, error: "x" } })).toBeUndefined();
});

test("a successful answer is no failure, and neither is a body in another format", () => {
  for (const body of [{ ok: true }, {}, null, "text", []])
    expect(manifest.failed!({ status: 200, headers: {}, body })).toBeUndefined();
});

describe("token answers", () => {
  const read = (body: OauthV2AccessResponse) => manifest.auth.oauth2!.readToken!(body);

  test("a bot's token is read from the top level of the token answer", () => {
    const body = {
      ok: true,
      access_token: "bot",
      refresh_token: "again",
      expires_in: 43_200,
      authed_user: { id: "U1" },
    };
    expect(read(body)).toEqual({ access_token: "bot", refresh_token: "again", expires_in: 43_200 });
  });

  test("a user's token is read from authed_user if there is no bot token", () => {
    expect(read({ ok: true, authed_user: { id: "U1", access_token: "user", token_type: "user" } })).toMatchObject({
      access_token: "user",
    });
  });

  test("a token answer that reports an error or has no token is a failure", () => {
    expect(read({ ok: false, error: "invalid_refresh_token" })).toBeUndefined();
    expect(read({ ok: true })).toBeUndefined();
  });
});
