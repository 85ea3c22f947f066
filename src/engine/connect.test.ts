// The whole flow is tested in test/auth; here is what the connector does with what each part returns.
import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { OAuth2 } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import { UnusableKey } from "../contracts/fault.ts";
import type { Manifest } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import { createConnector } from "./connect.ts";
import { createFormatGuard } from "./operation/format-guard.ts";

const account = { id: "7", name: "Ada", email: null };
const readAccount = vi.fn();
const requestToken = vi.fn();
const issueToken = vi.fn();
const call = vi.fn();
const discovered = { begin: vi.fn(), complete: vi.fn(), check: vi.fn(), clientDocument: {} as never };
let provider: Provider | undefined;

const connector = createConnector({
  providers: { of: async () => provider },
  readAccount,
  requestToken,
  issueToken,
  call,
  guardFormat: createFormatGuard({ malformed: vi.fn() }),
  discovered: discovered as never,
  sandboxUrl: undefined,
  callbackUrl: "https://plugboard.example/callback",
  publicSandboxUrl: undefined,
});

const oauth2 = { authorize: "authorize", token: "token", scopes: [] } as unknown as OAuth2;
const addresses = {
  api: "https://api.acme.example",
  authorize: "https://acme.example/authorize",
  token: "https://acme.example/token",
};

/** An integration of a provider with this manifest. */
function integrationOf(manifest: Partial<Manifest> = {}, integration: Partial<Integration> = {}): Integration {
  const connection = testConnection({
    manifest: { addresses, auth: { oauth2, api_key: { label: "Key", help: "" } }, ...manifest },
    integration: { type: "oauth2", client_id: "client", client_secret: "hush", ...integration },
  });
  ({ provider } = connection);
  return connection.integration;
}

beforeEach(() => {
  vi.resetAllMocks();
  readAccount.mockResolvedValue(account);
  requestToken.mockResolvedValue({ access_token: "token", refresh_token: "refresh", expires_in: 60 });
});

const begun = { settings: {}, codeVerifier: "verifier", state: "s" };
const answer = new URLSearchParams({ code: "the-code", state: "s" });

it("a code becomes credentials, settings and an account, and the refresh token is not used before it is stored", async () => {
  const grant = await connector.complete(integrationOf(), begun, answer);
  expect(grant).toEqual({
    credentials: { token: "token", refresh_token: "refresh" },
    settings: {},
    account,
    expires_at: expect.any(String),
  });
  expect(requestToken.mock.calls[0]![0].parameters).toEqual({
    grant_type: "authorization_code",
    code: "the-code",
    redirect_uri: "https://plugboard.example/callback",
    code_verifier: "verifier",
  });
  expect(readAccount.mock.calls[0]![0].record).toMatchObject({
    id: "",
    credentials: { token: "token", refresh_token: undefined },
  });
  await connector.complete(integrationOf(), { ...begun, codeVerifier: null }, answer);
  expect(requestToken.mock.calls[1]![0].parameters).not.toHaveProperty("code_verifier");
});

it("settings come from the redirect, the token and the provider, and one that an address needs must be among them", async () => {
  const manifest: Partial<Manifest> = {
    addresses: { ...addresses, api: "https://{site}.acme.example" },
    auth: { oauth2: { ...oauth2, readRedirect: (from) => ({ region: from.get("region") ?? "" }) } },
    discover: async (ask) => ({ site: ((await ask({} as never)) as unknown as { site: string }).site }),
  };
  call.mockResolvedValue({ site: "s" });
  requestToken.mockResolvedValue({ access_token: "token", settings: { tenant: "t" } });
  const redirected = new URLSearchParams({ code: "c", state: "s", region: "eu" });
  const grant = await connector.complete(integrationOf(manifest), { ...begun, settings: { own: "o" } }, redirected);
  expect(requestToken.mock.calls[0]![0].settings).toEqual({ own: "o", region: "eu" });
  expect(grant.settings).toEqual({ own: "o", region: "eu", tenant: "t", site: "s" });
  call.mockResolvedValue({});
  await expect(connector.complete(integrationOf(manifest), begun, redirected)).rejects.toThrow(
    "Acme did not return the account's site",
  );
});

it("an integration that cannot be used says why", async () => {
  const unreadable = integrationOf({}, { unreadable: true });
  await expect(connector.begin(unreadable, {}, "s")).rejects.toThrow("client secret cannot be decrypted");
  const unknownType = integrationOf({ auth: {} });
  await expect(connector.begin(unknownType, {}, "s")).rejects.toThrow("type oauth2 is unknown");
  const key = integrationOf({ auth: { api_key: { label: "Key", help: "" } } }, { type: "api_key" });
  await expect(connector.complete(key, begun, answer)).rejects.toThrow("no longer uses OAuth");
  provider = undefined;
  await expect(connector.begin(key, {}, "s")).rejects.toThrow("is unknown");
  expect(await connector.account(key, { token: "t" }, {})).toBeNull();
});

it("a sign-in that has to be discovered is left to its own module", async () => {
  const integration = integrationOf({ auth: { oauth2: { ...oauth2, discovered: true } } });
  discovered.begin.mockResolvedValue({ url: "u", codeVerifier: "v" });
  expect(await connector.begin(integration, {}, "s")).toEqual({ url: "u", codeVerifier: "v" });
  discovered.complete.mockResolvedValue({ credentials: { token: "t" }, expires_at: null });
  expect(await connector.complete(integration, { ...begun, settings: { a: "1" } }, answer)).toEqual({
    credentials: { token: "t" },
    expires_at: null,
    settings: { a: "1" },
    account,
  });
  expect(requestToken).not.toHaveBeenCalled();
  expect((await connector.begin(integrationOf(), {}, "s")).url).toMatch(/^https:\/\/acme\.example\/authorize\?/);
});

it("a key is checked by a call, at an MCP server by its own, and a token is issued first where one is needed", async () => {
  const type = "api_key" as const;
  expect(await connector.check(integrationOf({}, { type }), { token: "key" }, { a: "1" })).toEqual({
    credentials: { token: "key" },
    settings: { a: "1" },
    expires_at: null,
    account,
  });
  expect(call).toHaveBeenCalledOnce();
  expect(call.mock.calls[0]![0]).toMatchObject({ maxRetries: 1, repeatable: true });
  expect(discovered.check).not.toHaveBeenCalled();
  const { check: _, ...manifest } = provider!.manifest;
  const mcp = integrationOf({ ...manifest, mcpOnly: true, check: undefined as never }, { type });
  await connector.check(mcp, { token: "key" }, {});
  expect([call.mock.calls.length, discovered.check.mock.calls.length]).toEqual([1, 1]);

  const client_credentials = { asks: {}, help: "", lifetime: 60, issue: vi.fn() } as never;
  issueToken.mockResolvedValue({ access_token: "issued", settings: { tenant: "t" } });
  const issuing = integrationOf({ auth: { client_credentials } }, { type: "client_credentials" });
  expect(await connector.check(issuing, { username: "u" }, {})).toMatchObject({
    credentials: { username: "u", token: "issued" },
    settings: { tenant: "t" },
    expires_at: expect.any(String),
  });
  expect(await connector.settings(integrationOf({}, { type }), { token: "key" }, { a: "1" })).toEqual({ a: "1" });
});

it("a key that nothing can be signed with is named before anything is sent", () => {
  const issue = vi.fn();
  const { manifest } = { manifest: { auth: { jwt: { asks: {}, help: "", issue } } } as unknown as Manifest };
  const integration = { ...integrationOf(), type: "jwt" as const };
  expect(connector.keyProblem(manifest, { ...integration, type: "api_key" }, {}, {})).toBeUndefined();
  expect(issue).not.toHaveBeenCalled();
  expect(connector.keyProblem(manifest, integration, {}, {})).toBeUndefined();
  issue.mockImplementation(() => {
    throw new UnusableKey("it is not a private key");
  });
  expect(connector.keyProblem(manifest, integration, {}, {})).toBe("it is not a private key");
  issue.mockImplementation(() => {
    throw new TypeError("a mistake");
  });
  expect(() => connector.keyProblem(manifest, integration, {}, {})).toThrow("a mistake");
});

it("an installed app is connected if the provider lists the installation as the user's", async () => {
  const prove = vi.fn();
  const client_credentials = {
    asks: {},
    help: "",
    issue: vi.fn(),
    installation: { page: "authorize", prove },
  } as never;
  const installed = () => integrationOf({ auth: { oauth2, client_credentials } }, { type: "client_credentials" });
  issueToken.mockResolvedValue({ access_token: "issued" });
  prove.mockResolvedValueOnce({ settings: { installation: "9" }, account });
  expect(await connector.complete(installed(), begun, answer)).toEqual({
    credentials: { token: "issued" },
    settings: { installation: "9" },
    expires_at: null,
    account,
  });
  expect(readAccount).not.toHaveBeenCalled();
  prove.mockResolvedValueOnce(undefined);
  await expect(connector.complete(installed(), begun, answer)).rejects.toThrow(
    "does not list this installation as yours",
  );
});

it("an account is read with the connection's own credentials and settings", async () => {
  expect(await connector.account(integrationOf(), { token: "t", refresh_token: "r" }, { a: "1" })).toEqual(account);
  expect(readAccount.mock.calls[0]![0].record).toMatchObject({ credentials: { token: "t" }, settings: { a: "1" } });
});
