import { expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { OAuth2, SignIn } from "../../contracts/authentication.ts";
import { SANDBOX } from "./address.ts";
import { coversAddress, signInAddress, withSignIn } from "./sign-in.ts";

const signIn: SignIn = {
  issuer: "https://auth.example",
  names_issuer: false,
  token_endpoint: "https://auth.example/token?a=1",
  revocation_endpoint: null,
  resource: "https://mcp.example",
  client: null,
  client_auth: "basic",
};
const { provider, integration } = testConnection({
  manifest: { auth: { oauth2: { token: "token", scopes: ["a"] } as unknown as OAuth2 } },
  integration: { client_id: "own", client_secret: "hush" },
});

it("a sign-in completes the provider, with its own client if it has one", () => {
  const own = withSignIn(provider, integration, signIn);
  expect(own.integration).toBe(integration);
  expect(own.provider.manifest.auth.oauth2).toEqual({
    token: "token",
    scopes: ["a"],
    tokenRequestAuth: "basic",
    tokenParameters: { resource: "https://mcp.example" },
  });
  const registered = { ...signIn, client: { id: "c", secret: "s", how: "registered" } as const };
  const other = withSignIn(provider, integration, registered);
  expect(other.integration).toMatchObject({ client_id: "c", client_secret: "s" });
  // Without its registration, a client has to be connected again.
  expect(other.provider.manifest.auth.oauth2!.voidGrantCodes).toContain("invalid_client");
  const document = { ...signIn, client: { id: "c", secret: null, how: "document" } as const };
  expect(withSignIn(provider, integration, document).provider.manifest.auth.oauth2).not.toHaveProperty(
    "voidGrantCodes",
  );
});

it("a sign-in's addresses are used as they are written, except the emulator's", () => {
  expect(signInAddress(signIn, "token", integration)).toEqual({ origin: "https://auth.example", path: "/token?a=1" });
  expect(signInAddress(signIn, "revoke", integration)).toBeUndefined();
  expect(signInAddress(signIn, "api", integration)).toBeUndefined();
  expect(signInAddress(signIn, "token", { ...integration, base_url: SANDBOX })).toBeUndefined();
});

it.each([
  ["https://a.example/x", true],
  ["https://a.example/x/", true],
  ["https://a.example", true],
  ["https://a.example/", true],
  ["https://a.example/x/y", false],
  ["https://a.example/xy", false],
  ["https://b.example/x", false],
  ["http://a.example/x", false],
  ["https://a.example:8443/x", false],
  ["https://a.example/x?a=1", false],
  ["https://a.example/x#y", false],
  ["https://name@a.example/x", false],
  ["https://:hush@a.example/x", false],
  ["not an address", false],
])("a token for %s is for https://a.example/x: %s", (resource, isCovered) => {
  expect(coversAddress(resource, { origin: "https://a.example", path: "/x" })).toBe(isCovered);
});
