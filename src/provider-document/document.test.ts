import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isValidSetting } from "../engine/index.ts";
import { patternProblem } from "./pattern-problem.ts";
import { checkDocument } from "./read.ts";
import type { ProviderDocument } from "./schema.ts";
import { toManifest } from "./to-manifest.ts";

const acme: ProviderDocument = {
  id: "acme",
  name: "Acme",
  docs_url: "https://docs.acme.test",
  addresses: { api: "https://{account}.acme.test/v1/{team}" },
  settings: {
    account: { label: "Account", pattern: ".+" },
    team: { label: "Team", pattern: ".+" },
  },
  auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
};

const oauth2 = (host: string, settings: ProviderDocument["settings"] = {}) => ({
  ...acme,
  settings: { ...acme.settings, ...settings },
  addresses: { ...acme.addresses, authorize: `https://${host}/authorize`, token: `https://${host}/token` },
  auth: { oauth2: {} },
});

const discovers = (get: string) => ({
  ...acme,
  addresses: { api: "https://api.acme.test/{account}", token: "https://login.acme.test/token" },
  discover: { get, take: { team: "/id" } },
});

const logsIn = (request: object) => ({
  ...acme,
  auth: { two_step: { request: { method: "POST", ...request }, token: "/token" } },
});

/** The problems of a document as `field: message`. */
const problemsOf = async (document: unknown) =>
  (await checkDocument(document)).map(({ path, message }) => `${path.join(".")}: ${message}`);

describe("a provider by one JSON document", () => {
  it("is accepted as it should be", async () => {
    expect(await problemsOf(acme)).toEqual([]);
    expect(await problemsOf(oauth2("login.acme.test"))).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, ": must be object"],
    ["no name", { ...acme, name: undefined }, "name: is required"],
    ["an unknown field", { ...acme, secret: 1 }, "secret: is unknown; known fields: id, name"],
    ["an id with capitals", { ...acme, id: "Acme" }, "id: must match pattern"],
    ["an id that every object has", { ...acme, id: "constructor" }, "id: must not be a word that JavaScript uses"],
    ["an address of another kind", { ...acme, addresses: { api: "file:///etc/passwd" } }, "addresses.api: must match"],
    [
      "a password in an address",
      { ...acme, addresses: { api: "https://a:b@c.test" } },
      "addresses.api: must not contain",
    ],
    [
      "a query in an address",
      { ...acme, addresses: { api: "https://c.test/?a=b" } },
      "addresses.api: must not have a q",
    ],
    [
      "an unknown placeholder",
      { ...acme, addresses: { api: "https://{x}.acme.test" } },
      "addresses.api: `{x}` is not a",
    ],
    ["a placeholder at a port", { ...acme, addresses: { api: "https://a.test:{team}" } }, "addresses.api: must"],
    [
      "a setting of a bad name",
      { ...acme, settings: JSON.parse('{"__proto__": {"label": "x", "pattern": "x"}}') },
      "settings.__proto__: is a name that must match pattern",
    ],
    [
      "a setting without a pattern",
      { ...acme, settings: { ...acme.settings, team: { label: "Team" } } },
      "settings.team: must have either a pattern or choices",
    ],
    [
      "a pattern that takes forever",
      { ...acme, settings: { ...acme.settings, team: { label: "Team", pattern: "(a+)+" } } },
      "settings.team.pattern: must not repeat a group",
    ],
    ["no way to authenticate", { ...acme, auth: {} }, "auth: must have at least one of oauth2, api_key"],
    ["oauth2 without addresses", { ...acme, auth: { oauth2: {} } }, "addresses.authorize: is required for oauth2"],
    [
      "a key in a header of ours",
      { ...acme, auth: { api_key: { in: "header", name: "Host", label: "Key" } } },
      "auth.api_key.name: must be a header that may be set",
    ],
    [
      "a body that asks for a password without a label",
      {
        ...acme,
        auth: { two_step: { request: { method: "POST", path: "/login", body: { p: "{password}" } }, token: "/token" } },
      },
      "auth.two_step.password: is required: the body contains `{password}`",
    ],
    [
      "a header that is forbidden",
      { ...acme, headers: { "Transfer-Encoding": "x" } },
      "headers.Transfer-Encoding: must not",
    ],
    ["a line break in a header", { ...acme, headers: { "X-A": "a\r\nb: c" } }, "headers.X-A: must only have printable"],
    ["a check that leads elsewhere", { ...acme, check: { get: "//evil/me" } }, "check.get: must not begin with two"],
    ["a fragment in the check", { ...acme, check: { get: "/me#x" } }, "check.get: contains a character that must be"],
    ["dots in the check", { ...acme, check: { get: "/%2e%2e/me?a=b" } }, "check.get: must not contain `.` or `..`"],
    ["dots in the discovery", discovers("/../me"), "discover.get: must not contain `.` or `..`"],
    ["a setting in the discovery", discovers("/{account}"), "discover.get: must not contain a setting"],
    ["a bad path in a whole discovery", discovers("https://login.acme.test//me"), "discover.get: must not begin with"],
    ["a space in a token path", logsIn({ path: "/to ken" }), "auth.two_step.request.path: contains a character that"],
    ["a brace in a token path", logsIn({ path: "/{{team}}" }), "auth.two_step.request.path: must not have a brace"],
    [
      "nested values in a form",
      logsIn({ encoding: "form", body: { a: 1, b: true, c: "d", nested: { e: "f" } } }),
      "auth.two_step.request.body.nested: must be a text, a number, true or false",
    ],
    [
      "null in a form",
      logsIn({ encoding: "form", body: { a: null } }),
      "auth.two_step.request.body.a: must be a text, a number, true or false",
    ],
    [
      "an open brace",
      { ...acme, addresses: { api: "https://{team.acme.test" } },
      "addresses.api: must not have a brace",
    ],
    [
      "double braces",
      { ...acme, addresses: { api: "https://a.test/{{team}}" } },
      "addresses.api: must not have a brace",
    ],
    [
      "an optional setting in an address",
      { ...acme, settings: { ...acme.settings, team: { label: "Team", pattern: ".+", optional: true } } },
      "settings.team.optional: must not be true: addresses.api contains it",
    ],
    [
      "a choice that leaves its place",
      { ...acme, settings: { ...acme.settings, team: { label: "Team", choices: ["base", "base/x"] } } },
      "settings.team.choices.1: must be printable ASCII that fits its place",
    ],
    ["a header name with a space", { ...acme, retry_header: "X Y" }, "retry_header: must be the name of a header"],
    ["a header name that is not ASCII", { ...acme, retry_header: "é" }, "retry_header: must be the name of a header"],
    ["a setting in the check", { ...acme, check: { get: "/{team}" } }, "check.get: must not contain a setting"],
    [
      "a discovery elsewhere",
      { ...acme, discover: { get: "https://evil.test/me", take: { team: "/id" } } },
      "discover.get: must be on the host of one of the addresses",
    ],
    [
      "a whole host of the user that gets the client secret",
      oauth2("{host}", { host: { label: "Host", pattern: ".+" } }),
      'settings.host.set_by: must be "integration"',
    ],
    [
      "a whole host of the user that gets the client secret when a token is revoked",
      {
        ...acme,
        addresses: { ...acme.addresses, token: "https://login.acme.test/token", revoke: "https://{host}/revoke" },
        settings: { ...acme.settings, host: { label: "Host", pattern: ".+" } },
        auth: { client_credentials: {} },
      },
      'settings.host.set_by: must be "integration"',
    ],
    [
      "a domain of the user that gets the client secret",
      oauth2("{host}.com", { host: { label: "Host", pattern: "[a-z]+" } }),
      'settings.host.set_by: must be "integration"',
    ],
  ])("is refused with %s, and the field is named", async (_, document, problem) => {
    expect((await problemsOf(document))[0]).toContain(problem);
  });

  it("the query of a check and of a discovery is not part of the path", () => {
    const get = "/items?limit=1&fields=a%2Cb";
    const { check } = toManifest({ ...acme, check: { get } });
    expect(check).toMatchObject({ method: "GET", path: "/items", query: { limit: "1", fields: "a,b" } });
  });

  it("the integration may decide which server gets its client secret", async () => {
    const document = oauth2("{host}", { host: { label: "Host", pattern: "[a-z.]+", set_by: "integration" } });
    expect(await problemsOf(document)).toEqual([]);
    expect(toManifest(document as ProviderDocument).settings?.host?.ofIntegration).toBe(true);
  });

  it.each(["a/b", "a@b", "a:1", "a#b", "a?b", "a\\b", "", ".a", "a.", "a..b", "a%2fb", "a b", "ä", "a".repeat(254)])(
    "a setting in a host name cannot be %j, whatever its pattern allows",
    (value) => {
      expect(isValidSetting(toManifest(acme).settings!.account!, value)).toBe(false);
    },
  );

  it.each(["a/b", "..", ".", "a?b", "a#b", "%2e%2e", "a\\b", "a\nb"])(
    "a setting in a path cannot be %j, whatever its pattern allows",
    (value) => {
      expect(isValidSetting(toManifest(acme).settings!.team!, value)).toBe(false);
    },
  );

  it("the query of a check is sent as one", () => {
    const { check } = toManifest({ ...acme, check: { get: "/items?limit=1" } });
    expect(check).toMatchObject({ method: "GET", to: "api", path: "/items", query: { limit: "1" } });
  });

  it("ordinary settings are valid", () => {
    const { account, team } = toManifest(acme).settings!;
    expect([isValidSetting(account!, "acme-1.eu"), isValidSetting(team!, "Team 1")]).toEqual([true, true]);
  });
});

it("the documents in docs/any-api.md are valid", async () => {
  const page = readFileSync(new URL("../../docs/any-api.md", import.meta.url), "utf8");
  const shown = [...page.matchAll(/```json\n(\{\n[\s\S]*?)```/g)].map(([, text]) => text!);
  const sent = [...page.matchAll(/-d '(\{\n[\s\S]*?)'\n/g)].map(([, text]) => text!);
  expect([shown.length, sent.length]).toEqual([1, 1]);
  for (const text of [...shown, ...sent]) expect(await problemsOf(JSON.parse(text))).toEqual([]);
});

describe("patterns", () => {
  it.each(["[a-z0-9][a-z0-9-]*", "acme|globex", "v[0-9]+\\.[0-9]+", "[a-z]{2}(?:-[A-Z]{2})?", "[0-9a-f-]{36}"])(
    "%s is allowed",
    (pattern) => expect(patternProblem(pattern)).toBeUndefined(),
  );

  it.each([
    "(a+)+",
    "(a|a)*",
    "(?=a)b",
    "(a)\\1",
    "a*b*c*d*",
    "[",
    "(",
    "a**",
    "\\p{L}",
    "(?<x>a)",
    "a{100000}",
    "^a$",
  ])("%s is refused", (pattern) => expect(patternProblem(pattern)).toBeTypeOf("string"));
});
