import { describe, expect, it } from "vitest";
import {
  readChallenge,
  readRegistration,
  readResourceMetadata,
  readServerMetadata,
  resourceMetadataUrls,
  safeUrl,
  serverMetadataUrls,
  validScopes,
} from "./mcp-metadata.ts";

const server = new URL("https://mcp.example/mcp");
const address = { origin: "https://mcp.example", path: "/mcp" };
const issuer = new URL("https://auth.example");

it("scopes are kept as far as they are valid, each once and not too many", () => {
  const long = "s".repeat(201);
  expect(validScopes(["a", 'b"', "c\\d", "e f", "", 1, long, long.slice(1), "a"])).toEqual(["a", long.slice(1)]);
  expect(validScopes("a b")).toEqual([]);
  expect(validScopes(Array.from({ length: 101 }, (_, index) => `s${index}`))).toHaveLength(100);
});

it("a challenge is read with or without quotes, in any case, and its first value counts", () => {
  expect(readChallenge(401, 'Bearer Resource_Metadata = "https://a.example/\\"x", scope=read, scope="write"')).toEqual({
    status: 401,
    metadataUrl: 'https://a.example/"x',
    scope: "read",
  });
  expect(readChallenge(401, ["Basic", 'Bearer scope="a b"'])).toEqual({ status: 401, scope: "a b" });
  expect(readChallenge(200, undefined)).toEqual({ status: 200 });
});

it("an address must be encrypted if the server's is, and has no name, password or fragment", () => {
  const local = new URL("http://127.0.0.1:3000/mcp");
  expect(safeUrl("https://a.example/x", server, "page").href).toBe("https://a.example/x");
  expect(safeUrl("http://127.0.0.1:3001/x", local, "page").port).toBe("3001");
  expect(safeUrl("https://a.example/x", local, "page").host).toBe("a.example");
  for (const [value, from] of [
    ["http://a.example/x", server],
    ["ftp://a.example/x", local],
    ["https://name@a.example/x", server],
    ["https://:hush@a.example/x", server],
    ["https://a.example/x#y", server],
    ["/x", server],
    [1, server],
    [undefined, server],
  ] as const)
    expect(() => safeUrl(value, from, "page")).toThrow(`${from.host} cannot be used: the address of its page`);
});

it("metadata is looked for at the standard's addresses, in their order", () => {
  const none = readChallenge(401, undefined);
  expect(resourceMetadataUrls(server, none)).toEqual([
    "https://mcp.example/.well-known/oauth-protected-resource/mcp",
    "https://mcp.example/.well-known/oauth-protected-resource",
  ]);
  expect(resourceMetadataUrls(new URL("https://mcp.example/"), none)).toHaveLength(1);
  expect(resourceMetadataUrls(server, { ...none, metadataUrl: "https://mcp.example/own" })).toEqual([
    "https://mcp.example/own",
  ]);
  expect(serverMetadataUrls(issuer)).toEqual([
    "https://auth.example/.well-known/oauth-authorization-server",
    "https://auth.example/.well-known/openid-configuration",
  ]);
  expect(serverMetadataUrls(new URL("https://auth.example/tenant/"))).toEqual([
    "https://auth.example/.well-known/oauth-authorization-server/tenant",
    "https://auth.example/.well-known/openid-configuration/tenant",
    "https://auth.example/tenant/.well-known/openid-configuration",
  ]);
});

it("the metadata of an MCP server must describe this server, and name an authorization server", () => {
  const body = { resource: server.href, authorization_servers: [issuer.href, "https://b.example"] };
  expect(readResourceMetadata({ ...body, scopes_supported: ["a"] }, server, address)).toEqual({
    resource: server.href,
    issuer,
    scopes: ["a"],
  });
  const read = (change: object) => () => readResourceMetadata({ ...body, ...change }, server, address);
  for (const resource of [undefined, 1, "https://other.example/mcp", "https://mcp.example/mcp/deeper"])
    expect(read({ resource })).toThrow("describes another server");
  for (const authorization_servers of [undefined, [], "https://auth.example"])
    expect(read({ authorization_servers })).toThrow("names no authorization server");
});

describe("the metadata of an authorization server", () => {
  const body = {
    issuer: "https://auth.example",
    authorization_endpoint: "https://auth.example/authorize",
    token_endpoint: "https://auth.example/token",
    code_challenge_methods_supported: ["plain", "S256"],
  };
  const read = (change: object = {}) => readServerMetadata({ ...body, ...change }, issuer, server);

  it("what it does not say is unknown or not supported", () => {
    expect(read()).toEqual({
      issuer: "https://auth.example",
      namesIssuer: false,
      authorizationEndpoint: new URL("https://auth.example/authorize"),
      tokenEndpoint: new URL("https://auth.example/token"),
      registrationEndpoint: null,
      revocationEndpoint: null,
      takesClientDocuments: false,
      clientAuthMethods: undefined,
      scopes: [],
    });
    expect(
      read({
        issuer: "https://auth.example/",
        registration_endpoint: "https://auth.example/register",
        revocation_endpoint: "https://auth.example/revoke",
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        token_endpoint_auth_methods_supported: ["none"],
        scopes_supported: ["a"],
      }),
    ).toMatchObject({
      issuer: "https://auth.example/",
      namesIssuer: true,
      registrationEndpoint: new URL("https://auth.example/register"),
      revocationEndpoint: new URL("https://auth.example/revoke"),
      takesClientDocuments: true,
      clientAuthMethods: ["none"],
      scopes: ["a"],
    });
  });

  it("ways to authenticate that are no list are unknown", () => {
    expect(read({ token_endpoint_auth_methods_supported: "none" }).clientAuthMethods).toBeUndefined();
  });

  it("it must be about the server that was asked for, which supports PKCE", () => {
    for (const other of [undefined, 1, "https://evil.example"])
      expect(() => read({ issuer: other })).toThrow("describes another authorization server");
    for (const methods of [undefined, "S256", ["plain"]])
      expect(() => read({ code_challenge_methods_supported: methods })).toThrow("does not support PKCE with S256");
  });
});

describe("a registered client", () => {
  const callback = "https://plugboard.example/callback";
  const read = (body: object) => readRegistration({ client_id: "c", ...body }, callback, "auth.example");

  it("has a secret in the header or in the body, or none", () => {
    expect(read({})).toEqual({ id: "c", secret: null, auth: "body" });
    expect(read({ client_secret: "s", redirect_uris: [callback] })).toEqual({ id: "c", secret: null, auth: "body" });
    const method = (name: string) => ({ client_secret: "s", token_endpoint_auth_method: name });
    expect(read(method("client_secret_basic"))).toEqual({ id: "c", secret: "s", auth: "basic" });
    expect(read(method("client_secret_post"))).toEqual({ id: "c", secret: "s", auth: "body" });
    expect(() => read(method("private_key_jwt"))).toThrow("authenticate in another way");
    expect(() => read({ token_endpoint_auth_method: "client_secret_post" })).toThrow("authenticate in another way");
    expect(() => read({ ...method("client_secret_post"), client_secret: "s".repeat(10_001) })).toThrow("another way");
  });

  it("has an ID that can be sent, and returns to us alone", () => {
    for (const client_id of [undefined, 1, "", "a\nb", "c".repeat(2_001)])
      expect(() => read({ client_id })).toThrow("registered no client");
    expect(read({ client_id: "c".repeat(2_000) }).id).toHaveLength(2_000);
    for (const redirect_uris of [[], "x", [callback, "https://evil.example"], ["https://evil.example"]])
      expect(() => read({ redirect_uris })).toThrow("registered another address");
  });
});
