import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { createConnectionContext } from "./connection-context.ts";

it("credentials are sent as a bearer token, as a name and a password, as the manifest says, or not at all", () => {
  const sent = (...[options]: Parameters<typeof testConnection>) => testConnection(options).authorization;
  expect(sent()).toEqual({ headers: { authorization: "Bearer secret" } });
  const basic = (text: string) => ({ headers: { authorization: `Basic ${btoa(text)}` } });
  expect(sent({ record: { credentials: { username: "ada", password: "hush" } } })).toEqual(basic("ada:hush"));
  expect(sent({ record: { credentials: {} } })).toEqual(basic(":"));
  expect(sent({ integration: { type: "none" } })).toEqual({ headers: {} });
  expect(sent({ integration: { type: "basic" } })).toEqual({ headers: {} });
  const authorization = ({ token = "" }) => ({ headers: { "X-Key": token }, query: { k: token }, path: `/${token}` });
  expect(sent({ manifest: { authorization } })).toEqual({
    headers: { "x-key": "secret" },
    query: { k: "secret" },
    path: "/secret",
  });
});

it("a secret in the path is known in every form that it may be written in, the longest first", () => {
  const authorization = ({ token = "" }) => ({ path: `/bot${encodeURIComponent(token)}` });
  const { pathSecrets } = testConnection({
    manifest: { authorization },
    record: { credentials: { token: "12:made/up", password: "short" } },
  });
  expect(pathSecrets).toEqual([
    "bot12%3Amade%2Fup",
    "bot12%3amade%2fup",
    "12%3Amade%2Fup",
    "12%3amade%2fup",
    "bot12:made/up",
    "12:made/up",
  ]);
  expect(testConnection().pathSecrets).toEqual([]);
  const odd = testConnection({ manifest: { authorization: () => ({ path: "/50%-key" }) } });
  expect(odd.pathSecrets).toContain("50%-key");
});

it("an address is one of the manifest's, and a token may never expire", () => {
  const connection = testConnection({ record: { expires_at: "2026-01-01T00:00:00.000Z" } });
  expect(connection.address("api")).toMatchObject({ origin: "https://api.acme.example", path: "/v1" });
  expect([connection.hasAddress("api"), connection.hasAddress("other")]).toEqual([true, false]);
  expect(() => connection.address("other")).toThrow('the manifest has no address "other"');
  expect(connection.expiresAt).toBe(Date.UTC(2026, 0, 1));
  expect(testConnection().expiresAt).toBe(Number.POSITIVE_INFINITY);
});

it("the same account at a relative is made once, and leads back and to the others", () => {
  const own = testConnection();
  const { provider } = testConnection({ manifest: { id: "other" } });
  const { provider: third } = testConnection({ manifest: { id: "third" } });
  const relatives = [provider, third];
  const connection = createConnectionContext(own.provider, own.record, own.integration, {
    sandboxUrl: undefined,
    relatives,
  });
  const there = connection.at(provider);
  expect([there.provider, there.record, there.relatives]).toEqual([provider, own.record, [own.provider, third]]);
  expect(connection.at(provider)).toBe(there);
  expect(connection.at(connection.provider)).toBe(connection);
});
