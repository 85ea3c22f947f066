// Providers by one JSON document, one for each way to authenticate.
import type { AuthType } from "../../../src/contracts/authentication.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import type { ProviderDocument } from "../../../src/provider-document/schema.ts";
import { toManifest } from "../../../src/provider-document/to-manifest.ts";
import type { Catalogue } from "../../../src/service.ts";
import { rsaKey } from "../../support/keys.ts";

export interface Kind {
  title: string;
  type: AuthType;
  document: ProviderDocument;
  /** What a user fills in, by the names of the form's fields. */
  form: Record<string, string>;
  /** The same for the Platform API. */
  body: Record<string, unknown>;
  /** What the integration has. */
  integration?: Record<string, unknown>;
  /** The header, parameter or segment that the credential is in. */
  place: { header?: string; query?: string; path?: RegExp };
  /** Whether tokens are issued for it. */
  isIssued?: boolean;
  /** What makes the sandbox refuse it. */
  wrong?: Record<string, string>;
}

const document = (id: string, more: Partial<ProviderDocument>): ProviderDocument => ({
  id,
  name: `Made-up ${id}`,
  docs_url: `https://docs.${id}.example`,
  addresses: { api: `https://api.${id}.example/v1`, token: `https://login.${id}.example/oauth/token` },
  auth: { none: {} },
  check: { get: "/me" },
  ...more,
});

const account = { account: { label: "Account", pattern: "[a-z0-9-]+" } };

export const kinds: Kind[] = [
  {
    title: "a user's client credentials in the body",
    type: "client_credentials",
    document: document("client", {
      auth: { client_credentials: { scopes: ["read", "write"], scope_delimiter: ",", audience: "https://api" } },
    }),
    form: { username: "client-1", password: "made-up-secret" },
    body: { username: "client-1", password: "made-up-secret" },
    place: { header: "authorization" },
    isIssued: true,
    wrong: { password: "wrong-secret" },
  },
  {
    title: "the integration's client credentials with Basic authentication",
    type: "client_credentials",
    document: document("own-client", {
      auth: {
        client_credentials: {
          token_auth: "basic",
          token_params: { tenant: "{tenant}" },
          send: { in: "header", name: "X-Access", prefix: "Token " },
        },
      },
      addresses: {
        api: "https://{tenant}.own-client.example/v1",
        token: "https://login.own-client.example/{tenant}/token",
        revoke: "https://login.own-client.example/revoke",
      },
      settings: { tenant: { label: "Tenant", pattern: "[a-z]+", set_by: "integration" } },
    }),
    form: {},
    body: {},
    integration: { client_id: "ours: & co", client_secret: "our secret: 100%", settings: { tenant: "acme" } },
    place: { header: "x-access" },
    isIssued: true,
  },
  {
    title: "a login with a user name and a password",
    type: "two_step",
    document: document("login", {
      addresses: { api: "https://api.login.example/v1" },
      auth: {
        two_step: {
          request: {
            method: "POST",
            path: "/accounts/{account}/session",
            body: { user: { name: "{username}", password: "{password}" }, kind: "api" },
            encoding: "json",
          },
          token: "/data/token",
          expires_in: "/data/ttl",
          username: "E-mail",
          password: "Password",
          send: { in: "query", name: "session" },
        },
      },
      settings: { ...account, region: { label: "Region", pattern: "[a-z]+", optional: true } },
      headers: { "X-Account": "{account}", "X-Region": "{region}" },
    }),
    form: { "setting-account": "acme", username: "me@example.com", password: "made-up" },
    body: { username: "me@example.com", password: "made-up", settings: { account: "acme" } },
    place: { query: "session" },
    isIssued: true,
    wrong: { password: "wrong" },
  },
  {
    title: "a key that is exchanged for a token",
    type: "two_step",
    document: document("exchange", {
      auth: {
        two_step: {
          request: { method: "PUT", body: { api_key: "{token}" }, encoding: "form" },
          token: "/access",
          lifetime: 600,
          key: "API key",
        },
      },
    }),
    form: { secret: "made-up-key" },
    body: { auth_token: "made-up-key" },
    place: { header: "authorization" },
    isIssued: true,
    wrong: { secret: "wrong-key" },
  },
  {
    title: "a JWT that is sent as it is",
    type: "jwt",
    document: document("signed", {
      addresses: { api: "https://api.signed.example/v1" },
      auth: {
        jwt: {
          algorithm: "HS256",
          claims: { iss: "{account}" },
          lifetime: 300,
          secret_encoding: "hex",
          label: "Secret",
        },
      },
      settings: account,
    }),
    form: { "setting-account": "acme", secret: "00ff00ff00ff00ff" },
    body: { auth_token: "00ff00ff00ff00ff", settings: { account: "acme" } },
    place: { header: "authorization" },
    isIssued: true,
    wrong: { "setting-account": "wrong" },
  },
  {
    title: "a JWT that is exchanged for a token",
    type: "jwt",
    document: document("assertion", {
      auth: {
        jwt: {
          algorithm: "RS256",
          claims: { iss: "{account}", aud: "https://login.assertion.example" },
          header: { kid: "{account}" },
          lifetime: 600,
          exchange: { params: { scope: "all" } },
          label: "Private key",
        },
      },
      settings: account,
    }),
    form: { "setting-account": "acme", secret: rsaKey },
    body: { auth_token: rsaKey, settings: { account: "acme" } },
    place: { header: "authorization" },
    isIssued: true,
    wrong: { "setting-account": "wrong" },
  },
  {
    title: "a key in a header",
    type: "api_key",
    document: document("in-header", {
      auth: { api_key: { in: "header", name: "X-Key", prefix: "Key ", label: "Key" } },
    }),
    form: { key: "sandbox-key" },
    body: { auth_token: "sandbox-key" },
    place: { header: "x-key" },
    wrong: { key: "unknown" },
  },
  {
    title: "a key in a parameter",
    type: "api_key",
    document: document("in-query", { auth: { api_key: { in: "query", name: "k", label: "Key" } } }),
    form: { key: "sandbox-key" },
    body: { auth_token: "sandbox-key" },
    place: { query: "k" },
    wrong: { key: "unknown" },
  },
  {
    title: "a key in the path",
    type: "api_key",
    document: document("in-path", { auth: { api_key: { in: "path", prefix: "bot", label: "Bot token" } } }),
    form: { key: "sandbox-123:AAA-secret" },
    body: { auth_token: "sandbox-123:AAA-secret" },
    place: { path: /^\/v1\/botsandbox-123%3AAAA-secret\/things/ },
    wrong: { key: "unknown" },
  },
  {
    title: "a user name that is a key",
    type: "basic",
    document: document("name-only", { auth: { basic: { username: "API key" } } }),
    form: { username: "sandbox-key" },
    body: { username: "sandbox-key" },
    place: { header: "authorization" },
    wrong: { username: "unknown" },
  },
  {
    title: "no credentials",
    type: "none",
    document: document("open", { settings: { lang: { label: "Language", choices: ["en", "de"], optional: true } } }),
    form: {},
    body: {},
    place: {},
  },
];

export const toProvider = ({ document }: Pick<Kind, "document">): Provider => ({
  manifest: toManifest(document),
  categories: [],
});

export const kindCatalogue: Catalogue = { providers: kinds.map(toProvider), emulators: {} };
