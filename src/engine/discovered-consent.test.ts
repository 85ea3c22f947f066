import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { OAuth2, SignIn } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import { SANDBOX } from "./connection/address.ts";
import { createDiscoveredConsents } from "./discovered-consent.ts";

const CALLBACK = "https://plugboard.example/auth/callback";
const signIn: SignIn = {
  issuer: "https://auth.example",
  names_issuer: true,
  token_endpoint: "https://auth.example/token",
  revocation_endpoint: null,
  resource: "https://mcp.example/mcp",
  client: { id: "our-client", secret: "hush", how: "registered" },
  client_auth: "basic",
};
const find = vi.fn();
const requestToken = vi.fn();
const { begin, complete } = createDiscoveredConsents({
  mcpSignIn: { find, check: vi.fn(), clientDocument: {} } as never,
  requestToken,
  callbackUrl: CALLBACK,
  sandboxUrl: "http://127.0.0.1:1/sandbox",
  publicSandboxUrl: "https://plugboard.example/sandbox",
});

const connected = (integration: Partial<Integration> = {}) =>
  testConnection({
    manifest: {
      addresses: { api: "", mcp: "https://mcp.example/mcp", token: "https://acme.example/token" },
      auth: { oauth2: { token: "token", scopes: [] } as unknown as OAuth2 },
    },
    integration: { type: "oauth2", mcp_url: "https://mcp.example/mcp", ...integration },
  });
const { provider, integration } = connected();

beforeEach(() => {
  vi.resetAllMocks();
  find.mockResolvedValue({
    authorizationUrl: "https://auth.example/authorize?a=1",
    parameters: { scope: "s" },
    signIn,
  });
  requestToken.mockResolvedValue({ access_token: "token", refresh_token: "refresh", expires_in: 60 });
});

it("users are sent to the sign-in that was discovered, as the client that is known there, with PKCE", async () => {
  const begun = await begin(provider, integration, "the-state");
  expect(find).toHaveBeenCalledExactlyOnceWith({ origin: "https://mcp.example", path: "/mcp" }, integration);
  const url = new URL(begun.url);
  expect(url.origin + url.pathname).toBe("https://auth.example/authorize");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    a: "1",
    scope: "s",
    response_type: "code",
    client_id: "our-client",
    redirect_uri: CALLBACK,
    state: "the-state",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  expect(begun).toMatchObject({ signIn, codeVerifier: expect.stringMatching(/^[\w-]{43}$/) });
});

it("users are sent to the emulator's sign-in at the address that browsers see", async () => {
  const authorizationUrl = "http://127.0.0.1:1/sandbox/acme/authorize";
  find.mockResolvedValue({ authorizationUrl, parameters: {}, signIn });
  const emulated = connected({ base_url: SANDBOX, mcp_url: null });
  expect((await begin(emulated.provider, emulated.integration, "s")).url).toMatch(
    /^https:\/\/plugboard\.example\/sandbox\/acme\/authorize\?/,
  );
  // A server must not be able to name this address for itself.
  expect((await begin(provider, integration, "s")).url).toMatch(`${authorizationUrl}?`);
});

const begun = { codeVerifier: "verifier", signIn, state: "the-state" };
const answer = (change: Record<string, string> = {}) =>
  new URLSearchParams({ code: "the-code", state: "the-state", iss: "https://auth.example", ...change });

it("the code is exchanged where the sign-in says, and the credentials remember the sign-in", async () => {
  const grant = await complete(provider, integration, begun, answer());
  expect(grant).toEqual({
    credentials: { token: "token", refresh_token: "refresh", sign_in: signIn },
    expires_at: expect.any(String),
  });
  expect(requestToken).toHaveBeenCalledOnce();
  expect(requestToken.mock.calls[0]![0]).toMatchObject({
    integration: { client_id: "our-client", client_secret: "hush" },
    endpoint: { origin: "https://auth.example", path: "/token" },
    parameters: {
      grant_type: "authorization_code",
      code: "the-code",
      redirect_uri: CALLBACK,
      code_verifier: "verifier",
    },
  });
});

it("a code is not sent to a sign-in that is not the one that was begun", async () => {
  const changed = "has changed in the meantime";
  const another = "came from a different server than expected";
  const { iss: _, ...withoutIssuer } = Object.fromEntries(answer());
  const elsewhere = connected({ mcp_url: "https://elsewhere.example/mcp" }).integration;
  for (const [message, change, parameters, at] of [
    [changed, { signIn: null }, answer(), integration],
    [changed, { codeVerifier: null }, answer(), integration],
    [changed, {}, answer(), elsewhere],
    [another, {}, new URLSearchParams(withoutIssuer), integration],
    [another, {}, answer({ iss: "https://evil.example" }), integration],
    [another, {}, answer({ iss: "https://auth.example/other" }), integration],
    [another, { signIn: { ...signIn, names_issuer: false } }, answer({ iss: "https://evil.example" }), integration],
  ] as const)
    await expect(complete(provider, at, { ...begun, ...change }, parameters)).rejects.toThrow(message);
  expect(requestToken).not.toHaveBeenCalled();
  const silent = { ...begun, signIn: { ...signIn, names_issuer: false } };
  await complete(provider, integration, silent, new URLSearchParams(withoutIssuer));
  expect(requestToken).toHaveBeenCalledOnce();
});
