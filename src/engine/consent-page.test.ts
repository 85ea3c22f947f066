import { expect, it } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { OAuth2 } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import type { Manifest } from "../contracts/manifest.ts";
import { SANDBOX } from "./connection/address.ts";
import { consentPage } from "./consent-page.ts";

const options = {
  callbackUrl: "https://plugboard.example/callback",
  publicSandboxUrl: "https://plugboard.example/sandbox",
};

interface Scenario {
  oauth2?: Partial<OAuth2>;
  manifest?: Partial<Manifest>;
  integration?: Partial<Integration>;
  settings?: Record<string, string>;
}

async function pageOf({ oauth2, manifest, integration, settings = {} }: Scenario = {}) {
  const connection = testConnection({
    manifest: {
      addresses: { api: "", authorize: "https://acme.example/authorize", install: "https://acme.example/install" },
      auth: { oauth2: { authorize: "authorize", token: "token", scopes: ["a", "b"], ...oauth2 } as unknown as OAuth2 },
      ...manifest,
    },
    integration: { type: "oauth2", client_id: "client", ...integration },
  });
  const { url, codeVerifier } = await consentPage(
    connection.provider.manifest,
    connection.integration,
    settings,
    "the-state",
    options,
  );
  const { origin, pathname, searchParams } = new URL(url);
  return { address: origin + pathname, parameters: Object.fromEntries(searchParams), codeVerifier };
}

it("users consent at the provider's page, with the manifest's scopes and PKCE", async () => {
  expect(await pageOf({ oauth2: { authorizeParameters: { access_type: "offline" } } })).toEqual({
    address: "https://acme.example/authorize",
    parameters: {
      access_type: "offline",
      scope: "a b",
      response_type: "code",
      client_id: "client",
      redirect_uri: options.callbackUrl,
      state: "the-state",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    },
    codeVerifier: expect.stringMatching(/^[\w-]{43}$/),
  });
});

it("a provider may have no PKCE, and its own way to write scopes; those of the integration come first", async () => {
  const { parameters, codeVerifier } = await pageOf({
    oauth2: { pkce: false, scopeParameter: "user_scope", scopeDelimiter: "," },
    integration: { scopes: ["c", "d"] },
  });
  expect(codeVerifier).toBeNull();
  expect(parameters).not.toHaveProperty("code_challenge");
  expect(parameters).toMatchObject({ user_scope: "c,d" });
  expect((await pageOf({ integration: { scopes: [] } })).parameters).not.toHaveProperty("scope");
});

it("parameters have their settings filled in, and those whose settings are missing are left out", async () => {
  const { parameters } = await pageOf({
    oauth2: { authorizeParameters: { audience: "https://{account}.acme.example/", team: "{team}" } },
    settings: { account: "a" },
  });
  expect(parameters).toMatchObject({ audience: "https://a.acme.example/" });
  expect(parameters).not.toHaveProperty("team");
});

it("an app is installed on its own page, without OAuth", async () => {
  const client_credentials = { installation: { page: "install" } } as never;
  const page = await pageOf({
    manifest: { auth: { client_credentials } },
    integration: { type: "client_credentials" },
  });
  expect(page).toEqual({
    address: "https://acme.example/install",
    parameters: { state: "the-state" },
    codeVerifier: null,
  });
});

it("the page may depend on settings, and in the sandbox it is where browsers see that", async () => {
  const manifest = {
    addresses: { api: "", authorize: "https://{site}.acme.example/authorize" },
    settings: { site: { label: "site name", help: "", pattern: ".+" } } as never,
  };
  expect((await pageOf({ manifest, settings: { site: "s" } })).address).toBe("https://s.acme.example/authorize");
  await expect(pageOf({ manifest })).rejects.toThrow("The integration has no site name yet");
  expect((await pageOf({ integration: { base_url: SANDBOX } })).address).toBe(
    "https://plugboard.example/sandbox/acme/authorize",
  );
  await expect(pageOf({ integration: { client_id: null } })).rejects.toThrow("The integration has no client ID yet");
});
