import { crm } from "../../../src/categories/crm.ts";
import type { OAuth2 } from "../../../src/contracts/authentication.ts";
import type { Emulator } from "../../../src/contracts/emulator.ts";
import type { Manifest } from "../../../src/contracts/manifest.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import { emulate, reply } from "../../../src/emulator-kit/emulator.ts";
import { toContact } from "../../../src/provider-kit/contact.ts";
import { implement, list } from "../../../src/provider-kit/implement.ts";
import { get } from "../../../src/provider-kit/request.ts";
import type { Catalogue } from "../../../src/service.ts";

const contacts = implement(crm, {
  listContacts: list({
    maxPageSize: 100,
    items: (body: { contacts: { id: string }[] }) => body.contacts,
    next: () => null,
    request: () => get("/contacts"),
    record: ({ id }) => toContact({ id, email: null }),
  }),
});

const emulator = (prefix: string, more: Partial<Emulator<null>> = {}) =>
  emulate<null>({
    state: () => null,
    routes: {
      [`GET ${prefix}/me`]: () => reply(200, { id: "me" }),
      [`GET ${prefix}/contacts`]: () => reply(200, { contacts: [{ id: "one" }, { id: "two" }] }),
    },
    failure: (status) => reply(status, { message: status === 401 ? "That password is wrong" : `status ${status}` }),
    ...more,
  });

/** Basic authentication, at an address that depends on the account. */
const ledgerManifest: Manifest = {
  id: "ledger",
  name: "Ledger & Sons",
  docs: "https://ledger.example/docs",
  addresses: { api: "https://{subdomain}.ledger.example/v1" },
  settings: {
    subdomain: {
      label: "Subdomain",
      hint: "The first part of your Ledger address",
      placeholder: "acme",
      pattern: "[a-z0-9][a-z0-9-]{0,61}",
    },
  },
  auth: { basic: { username: "E-mail", password: "API token", help: "https://ledger.example/tokens" } },
  check: get("/me"),
};

/** OAuth with every deviation from the standard that a manifest can express. */
export const quirks: OAuth2 = {
  authorize: "authorize",
  token: "token",
  scopes: ["read", "write"],
  scopeDelimiter: ",",
  scopeParameter: "user_scope",
  tokenRequestAuth: "basic",
  tokenRequestBody: "json",
  pkce: false,
  authorizeParameters: { access_type: "offline", state: "not ours" },
  tokenParameters: { audience: "api", grant_type: "not ours" },
  refreshWithRedirectUri: true,
  refreshAhead: 300,
  lifetime: 3600,
  rotates: true,
  revoke: { address: "revoke" },
  readToken: ({ data, region }: { data?: { access: string; renewal: string; ttl: number }; region: string }) =>
    data && { access_token: data.access, refresh_token: data.renewal, expires_in: data.ttl, settings: { region } },
};

const quirkManifest: Manifest = {
  id: "quirk",
  name: "Quirk",
  docs: "https://quirk.example/docs",
  addresses: {
    api: "https://{region}.quirk.example/{cloud}/v1",
    accounts: "https://accounts.quirk.example/accounts",
    authorize: "https://{tenant}.quirk.example/oauth/start",
    token: "https://quirk.example/oauth/{tenant}/token",
    revoke: "https://quirk.example/oauth/revoke",
  },
  settings: {
    tenant: { label: "Tenant", pattern: "[a-z]+" },
    region: { label: "Region", pattern: "[a-z]{2}", askedWith: [] },
    cloud: { label: "Cloud", pattern: "[a-z0-9]+", askedWith: [] },
  },
  auth: { oauth2: quirks },
  check: get("/me"),
  discover: async (upstream) => ({
    cloud: (await upstream<{ cloud: string }>(get("", {}, {}, { to: "accounts" }))).body.cloud,
  }),
};

const quirkEmulator = emulator("/c7/v1", {
  settings: { tenant: "acme", region: "eu", cloud: "c7" },
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, { data: { access: access_token, renewal: refresh_token, ttl: expires_in }, region: "eu" }),
});
quirkEmulator.routes["GET /accounts"] = () => reply(200, { cloud: "c7" });

export const ledger: Provider = { manifest: ledgerManifest, categories: [contacts] };
export const quirk: Provider = { manifest: quirkManifest, categories: [contacts] };

/** Settings that a user would type in. */
export const toySettings: Record<string, Record<string, string>> = {
  ledger: { subdomain: "acme" },
  quirk: { tenant: "acme" },
};

/** A provider whose server a test scripts. */
const scriptedManifest = (id: string, oauth2: Partial<OAuth2>): Manifest => ({
  id,
  name: "Scripted",
  docs: "https://scripted.example/docs",
  addresses: {
    api: "https://scripted.example/v1",
    authorize: "https://scripted.example/authorize",
    token: "https://scripted.example/token",
    revoke: "https://scripted.example/revoke",
  },
  auth: {
    oauth2: {
      authorize: "authorize",
      token: "token",
      scopes: ["all"],
      rotates: true,
      revoke: { address: "revoke" },
      ...oauth2,
    },
    api_key: { label: "Key", help: "https://scripted.example/keys" },
  },
  check: get("/me"),
});

export const scripted = (id: string, oauth2: Partial<OAuth2> = {}): Provider => ({
  manifest: scriptedManifest(id, oauth2),
  categories: [contacts],
});

/** A catalogue of scripted providers only. */
export const scriptedCatalogue = (...providers: Provider[]): Catalogue => ({
  providers,
  emulators: {},
});

/** The toy providers in place of the registry. */
export const toyCatalogue: Catalogue = {
  providers: [ledger, quirk],
  emulators: { ledger: emulator("/v1"), quirk: quirkEmulator },
};
