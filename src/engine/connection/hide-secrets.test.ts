import { expect, it } from "vitest";
import type { ConnectionContext } from "./connection-context.ts";
import { hideSecrets, secretsOf } from "./hide-secrets.ts";

const token = "gho_16C7e42F292c6912E7710c838347Ae178B4a";

it.each([
  [`{"message":"Bad credentials: ${token}"}`, '{"message":"Bad credentials: ***"}'],
  [`the token ${token.slice(3, 20)} has expired`, "the token *** has expired"],
  [`<a href="https://x.test/?t=${token}">`, '<a href="https://x.test/?***">'],
  [token, "***"],
  [`it ends with ${token.slice(-8)}`, "it ends with ***"],
  [`seven are not enough: ${token.slice(-7)}`, `seven are not enough: ${token.slice(-7)}`],
])("known secrets are hidden wherever a provider quotes them, also in part: %s", (text, shown) => {
  expect(hideSecrets(text, [token, "", "abc"])).toBe(shown);
});

it.each([
  ['{"access_token":"abc.def","expires_in":1}', '{"access_token":"***","expires_in":1}'],
  ['{"clientSecret" : "a\\"b", "ok": true}', '{"clientSecret" : "***", "ok": true}'],
  ['{"x":{"X-Api-Key":"cut off', '{"x":{"X-Api-Key":"***"'],
  ["limit=x&api_key=12345&page=2", "limit=x&api_key=***&page=2"],
  ["<Password>hunter2</Password>", "<Password>***</Password>"],
  ["Authorization: Bearer abcdefghijklmnopqrst", "Authorization: Bearer ***"],
  ["GET https://user:pass@host.test/x", "GET https://***@host.test/x"],
  ["a jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sflKxw in it", "a jwt *** in it"],
  ["key sk_abc123DEF of ours", "key *** of ours"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "***"],
])("what looks like a secret is hidden: %s", (text, shown) => {
  expect(hideSecrets(text, [])).toBe(shown);
});

it.each([
  '{"error":"missing_scope","needed":"channels:read","provided":"chat:write"}',
  '{"message":"The token lacks the scope repo","code":"insufficient_scope","request_id":"a1b2c3d4e5f60718293a4b5c"}',
  "limit must be <= 100",
  "Basic authentication is not allowed; use a bearer token instead",
  "https://api.example.com/v1/things?page=2",
])("what explains an error is not hidden: %s", (text) => {
  expect(hideSecrets(text, [token])).toBe(text);
});

it("the time that hiding takes does not grow faster than a long text", () => {
  // Each of them would take minutes if it were tried from every character to the end.
  for (const text of [
    "a".repeat(100_000),
    '"token'.repeat(20_000),
    "<".repeat(100_000),
    `"token":"${"\\".repeat(100_000)}`,
  ])
    expect(hideSecrets(text, [])).toBeTypeOf("string");
});

it("the secrets of a connection are its credentials, and those that were sent after a refresh", () => {
  const connection = {
    record: { credentials: { token: "old", refresh_token: "refresh" } },
    credentialPlaces: { headers: ["x-key"], query: [] },
    pathSecrets: ["bot-1"],
  } as unknown as ConnectionContext;
  const trace = { upstreamCalls: 1, upstream: [] };
  expect(secretsOf(connection, trace)).toEqual(["old", "refresh", "bot-1"]);
  const named = { ...trace, sentHeaders: { authorization: "Bearer new", accept: "text/plain" } };
  expect(secretsOf(connection, named)).toEqual(["old", "refresh", "bot-1", "new"]);
  const listed = { ...trace, sentHeaders: ["accept", "text/plain", "X-Key", "newer"] };
  expect(secretsOf(connection, listed)).toEqual(["old", "refresh", "bot-1", "newer"]);
});
