import { randomBytes } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProviderDocument } from "../provider-document/schema.ts";
import { toManifest } from "../provider-document/to-manifest.ts";
import { signJwt } from "../provider-kit/jwt.ts";
import { createSandbox } from "./index.ts";

const document = (id: string, more: Partial<ProviderDocument>): ProviderDocument => ({
  id,
  name: id,
  docs_url: "https://docs.example",
  addresses: {
    api: `https://${id}.example/v1`,
    authorize: `https://${id}.example/authorize`,
    token: `https://${id}.example/token`,
    refresh: `https://${id}.example/refresh`,
  },
  auth: { none: {} },
  ...more,
});

const documents = [
  document("header", { auth: { api_key: { in: "header", name: "X-Key", prefix: "Key ", label: "Key" } } }),
  document("query", { auth: { api_key: { in: "query", name: "k", label: "Key" } } }),
  document("path", {
    auth: { api_key: { in: "path", prefix: "bot", label: "Key" } },
    settings: { team: { label: "Team", pattern: "[a-z]+" } },
    discover: { get: "/me", take: { team: "/result/0/team" } },
  }),
  document("open", {}),
  document("body", { auth: { client_credentials: { audience: "api", token_params: { x: "1" } } } }),
  document("basic", { auth: { client_credentials: { token_auth: "basic", token_body: "json" }, oauth2: {} } }),
  document("assertion", {
    auth: { jwt: { algorithm: "HS256", claims: { iss: "us" }, lifetime: 300, exchange: {}, label: "Secret" } },
  }),
  document("signed", { auth: { jwt: { algorithm: "HS256", claims: { iss: "us" }, lifetime: 300, label: "Secret" } } }),
  document("found", {
    auth: { oauth2: { token_settings: { team: "/team/id" }, redirect_settings: { region: "dc" } } },
    settings: { team: { label: "Team", pattern: "[a-z]+" }, region: { label: "Region", choices: ["eu", "us"] } },
  }),
];

let server: FastifyInstance;
let address: string;
beforeAll(async () => {
  const providers = documents.map((one) => ({ manifest: toManifest(one), categories: [] }));
  const sandbox = createSandbox({ providers, emulators: {}, secret: randomBytes(32) });
  server = Fastify();
  await server.register(sandbox.plugin);
  address = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server?.close());

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(address + path, { redirect: "manual", ...init });
  const text = await response.text();
  return {
    status: response.status,
    text,
    headers: response.headers,
    body: text.startsWith("{") ? JSON.parse(text) : undefined,
  };
}
const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}, isJson = false) =>
  ask(path, {
    method: "POST",
    body: isJson ? JSON.stringify(body) : new URLSearchParams(body),
    headers: { ...(isJson ? { "content-type": "application/json" } : {}), ...headers },
  });

describe("a provider without an emulator", () => {
  it("answers what it received, without values of headers, if the key is in its place", async () => {
    const { status, text, body } = await ask("/header/v1/a/b?c=1", {
      method: "PATCH",
      headers: { "x-key": "Key sandbox-1" },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ method: "PATCH", path: "/a/b", headers: expect.arrayContaining(["x-key"]) });
    expect(text).not.toContain("sandbox-1");
    expect((await ask("/query/v1?k=sandbox-1")).status).toBe(200);
    expect((await ask("/path/v1/botsandbox-1/getUpdates")).body).toMatchObject({ path: "/getUpdates" });
    expect((await ask("/open/v1/x")).status).toBe(200);
  });

  it.each([
    ["without a key", "/header/v1/x", {}],
    ["without its prefix", "/header/v1/x", { "x-key": "sandbox-1" }],
    ["in another header", "/header/v1/x", { authorization: "Bearer sandbox-1" }],
    ["in a parameter", "/header/v1/x?X-Key=Key%20sandbox-1", {}],
    ["that is unknown", "/header/v1/x", { "x-key": "Key other" }],
    ["in a header instead of a parameter", "/query/v1/x", { k: "sandbox-1" }],
    ["in the path without its prefix", "/path/v1/sandbox-1/x", {}],
    ["after the path", "/path/v1/x/botsandbox-1", {}],
  ])("a request %s is refused with 401", async (_, path, headers) => {
    expect((await ask(path, { headers })).status).toBe(401);
  });

  it("an unknown provider or address is a 404, and a provider of that name is not made up", async () => {
    for (const path of ["/nobody/v1", "/constructor/v1", "/__proto__/v1", "/header/v2/x"])
      expect((await ask(path, { headers: { "x-key": "Key sandbox-1" } })).status).toBe(404);
  });

  it("has values for the settings that are to be discovered, in the token and in the redirect", async () => {
    expect((await ask("/path/v1/botsandbox-1/me")).body).toEqual({ result: [{ team: "sandbox" }] });
    const query = new URLSearchParams({ client_id: "c", redirect_uri: "https://app.example/", response_type: "code" });
    const allowed = await post(`/found/authorize?${query}`, { decision: "allow" });
    const redirect = new URL(allowed.headers.get("location")!);
    expect(redirect.searchParams.get("dc")).toBe("eu");
    const code = redirect.searchParams.get("code")!;
    const client = { client_id: "c", client_secret: "s" };
    const granted = await post("/found/token", {
      grant_type: "authorization_code",
      code,
      redirect_uri: "https://app.example/",
      ...client,
    });
    expect(granted.body).toMatchObject({ team: { id: "sandbox" } });
    const refresh = { grant_type: "refresh_token", refresh_token: granted.body.refresh_token, ...client };
    expect((await post("/found/token", refresh)).body.error).toBe("unsupported_grant_type");
    expect((await post("/found/refresh", refresh)).status).toBe(200);
  });
});

describe("the token endpoints", () => {
  const complete = { grant_type: "client_credentials", audience: "api", x: "1", client_id: "c", client_secret: "s" };
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

  it("issue a token that the API accepts, and nothing else", async () => {
    const { body } = await post("/body/token", { ...complete, scope: "of the integration" });
    const call = (token: string) => ask("/body/v1/x", { headers: { authorization: `Bearer ${token}` } });
    expect((await call(body.access_token)).status).toBe(200);
    expect((await call("made-up")).status).toBe(401);
  });

  it.each<[string, number, () => ReturnType<typeof post>]>([
    ["a wrong secret", 401, () => post("/body/token", { ...complete, client_secret: "wrong" })],
    ["a client without a secret", 400, () => post("/body/token", { ...complete, client_secret: "" })],
    ["another audience", 400, () => post("/body/token", { ...complete, audience: "other" })],
    ["a missing parameter", 400, () => post("/body/token", { ...complete, x: "" })],
    ["a parameter that is not declared", 400, () => post("/body/token", { ...complete, y: "1" })],
    ["another grant type", 400, () => post("/body/token", { ...complete, grant_type: "password" })],
    ["JSON in place of a form", 400, () => post("/body/token", complete, {}, true)],
    ["Basic in place of the body", 401, () => post("/body/token", complete, basic("c:s"))],
    ["the body in place of Basic", 401, () => post("/basic/token", complete, {}, true)],
    ["a form in place of JSON", 400, () => post("/basic/token", { grant_type: "client_credentials" }, basic("c:s"))],
    [
      "a wrong secret with Basic",
      401,
      () => post("/basic/token", { grant_type: "client_credentials" }, basic("c:wrong"), true),
    ],
  ])("refuse %s", async (_, status, request) => {
    expect((await request()).status).toBe(status);
  });

  it("tell kinds at one address apart by the grant type", async () => {
    const issued = await post("/basic/token", { grant_type: "client_credentials" }, basic("c:s"), true);
    expect(issued.status).toBe(200);
    const code = { grant_type: "authorization_code", code: "x", client_id: "c", client_secret: "s" };
    expect((await post("/basic/token", code)).body.error).toBe("invalid_grant");
  });
});

describe("a signed token", () => {
  const sign = (claims: Record<string, string>, lifetime = 300, at = Date.now(), header = {}) =>
    signJwt({ algorithm: "HS256", claims, lifetime, header }, "secret", at).jwt;
  const exchange = (assertion: string) =>
    post("/assertion/token", { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
  const call = (token: string) => ask("/signed/v1/x", { headers: { authorization: `Bearer ${token}` } });

  it("is exchanged, or accepted as it is", async () => {
    expect((await exchange(sign({ iss: "us" }))).body).toMatchObject({ access_token: expect.stringMatching(/^sbxa_/) });
    expect((await call(sign({ iss: "us" }))).status).toBe(200);
  });

  it.each([
    ["of somebody else", () => sign({ iss: "them" })],
    ["with a claim that is not declared", () => sign({ iss: "us", sub: "x" })],
    ["with another algorithm", () => sign({ iss: "us" }, 300, Date.now(), { alg: "none" })],
    ["that has expired", () => sign({ iss: "us" }, 300, Date.now() - 600_000)],
    ["of the future", () => sign({ iss: "us" }, 300, Date.now() + 600_000)],
    ["that is valid for days", () => sign({ iss: "us" }, 200_000)],
    ["without a signature", () => sign({ iss: "us" }).replace(/[^.]+$/, "")],
    ["that is text", () => "a.b"],
  ])("%s is refused", async (_, make) => {
    expect((await exchange(make())).body.error).toBe("invalid_grant");
    expect((await call(make())).status).toBe(401);
  });
});
