import * as oauth from "oauth4webapi";
import type { ConnectedAccount, Connection, Integration } from "../contracts/entities.ts";
import type { Credentials, OAuth2, Setting } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import type { createAccountReader } from "./connected-account.ts";
import { resolveAddress } from "./connection/address.ts";
import { type ConnectionContext, createConnectionContext } from "./connection/connection-context.ts";
import { NotConnected, withUserMessages } from "./connection/not-connected.ts";
import { grantOf } from "./connection/refresh.ts";
import { showable } from "./connection/safe-provider-message.ts";
import { askedSettings, missingSetting, validSettings } from "./connection/settings.ts";
import type { TokenRequests } from "./connection/token-request.ts";
import type { FormatGuard } from "./operation/format-guard.ts";
import type { OperationRun, UpstreamCaller } from "./operation/upstream.ts";

/** What a new connection is created from. */
export type Grant = Pick<Connection, "credentials" | "settings" | "account" | "expires_at">;

/** The provider's consent page for one user. */
export interface Consent {
  url: string;
  codeVerifier: string | null;
}

interface ConnectorOptions {
  providers: ReadonlyMap<string, Provider>;
  readAccount: ReturnType<typeof createAccountReader>;
  requestToken: TokenRequests;
  call: UpstreamCaller;
  guardFormat: FormatGuard;
  /** Where the consent page redirects to. */
  callbackUrl: string;
  sandboxUrl: string | undefined;
  /** The sandbox's address for browsers. */
  publicSandboxUrl: string | undefined;
}

type Settings = Record<string, string>;

/** Connects accounts: sends users to consent, exchanges codes, checks keys and discovers settings. */
export function createConnector(options: ConnectorOptions) {
  const { providers, readAccount, requestToken, call, guardFormat, callbackUrl, sandboxUrl, publicSandboxUrl } =
    options;

  function providerOf(integration: Integration): Provider {
    const provider = providers.get(integration.identifier);
    if (!provider?.manifest.auth[integration.type])
      throw new NotConnected("server_error", `The integration's provider or its type ${integration.type} is unknown`);
    if (integration.unreadable)
      throw new NotConnected("server_error", "The integration's client secret cannot be decrypted: set it again");
    return provider;
  }

  /** A connection that is not stored yet. It has no refresh token: nothing may be refreshed before it is stored. */
  function draftConnection(provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) {
    const now = new Date().toISOString();
    const record: Connection = {
      id: "",
      workspace_id: integration.workspace_id,
      integration_id: integration.id,
      integration_identifier: integration.identifier,
      external_id: null,
      credentials: { ...credentials, refresh_token: undefined },
      settings,
      metadata: null,
      account: null,
      is_valid: true,
      invalid_reason: null,
      expires_at: null,
      refreshed_at: null,
      created_at: now,
      updated_at: now,
    };
    return createConnectionContext(provider, record, integration, sandboxUrl);
  }

  const runOf = (connection: ConnectionContext): OperationRun => ({
    connection,
    maxRetries: 1,
    repeatable: true,
    calls: 0,
    bytes: 0,
  });

  /** Adds the settings that the provider has to be asked for. */
  async function discover(provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) {
    const { manifest } = provider;
    const { discover } = manifest;
    let known = settings;
    if (discover) {
      const run = runOf(draftConnection(provider, integration, credentials, settings));
      const asked = { auth: integration.type, settings };
      const found = await guardFormat(run.connection, () => discover((request) => call(run, request), asked));
      known = { ...settings, ...validSettings(manifest, found) };
    }
    const missing = missingSetting(manifest, "api", integration.type, known);
    if (missing) throw new NotConnected("server_error", `${manifest.name} did not return the account's ${missing}`);
    return known;
  }

  async function checkCredentials(integration: Integration, credentials: Credentials, settings: Settings) {
    const provider = providerOf(integration);
    const { manifest } = provider;
    return withUserMessages(manifest.name, Object.values(credentials), async () => {
      const known = await discover(provider, integration, credentials, settings);
      await call(runOf(draftConnection(provider, integration, credentials, known)), manifest.check);
      return known;
    });
  }

  async function withAccount(
    provider: Provider,
    integration: Integration,
    grant: Omit<Grant, "account">,
  ): Promise<Grant> {
    const draft = draftConnection(provider, integration, grant.credentials, grant.settings);
    return { ...grant, account: await readAccount(draft) };
  }

  return {
    /** Settings to ask the user for, with their names. */
    asks: (integration: Integration): [string, Setting][] =>
      askedSettings(providerOf(integration).manifest, integration.type),

    /** Starts an OAuth flow: where to send the user. */
    async begin(integration: Integration, settings: Settings, state: string): Promise<Consent> {
      const { manifest } = providerOf(integration);
      const oauth2 = manifest.auth.oauth2!;
      const { client_id } = integration;
      if (!client_id) throw new NotConnected("server_error", "The integration has no client ID yet");
      const address = resolveAddress(manifest, oauth2.authorize, integration, settings, publicSandboxUrl)!;
      const url = new URL(address.origin + (address.path || "/"));
      const codeVerifier = oauth2.pkce === false ? null : oauth.generateRandomCodeVerifier();
      const parameters: Record<string, string> = {
        ...oauth2.authorizeParameters,
        ...scopeParameter(oauth2, integration),
        response_type: "code",
        client_id,
        redirect_uri: callbackUrl,
        state,
        ...(codeVerifier === null
          ? {}
          : {
              code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
              code_challenge_method: "S256",
            }),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return { url: url.href, codeVerifier };
    },

    /** Ends an OAuth flow: turns the parameters of the provider's redirect into credentials. */
    async complete(
      integration: Integration,
      begun: { settings: Settings; codeVerifier: string | null; state: string },
      parameters: URLSearchParams,
    ): Promise<Grant> {
      const provider = providerOf(integration);
      const { manifest } = provider;
      const oauth2 = manifest.auth.oauth2;
      if (!oauth2) throw new NotConnected("server_error", "The integration no longer uses OAuth");
      const origins = [oauth2.authorize, oauth2.token].map(
        (name) => resolveAddress(manifest, name, integration, begun.settings, publicSandboxUrl)!.origin,
      );
      const code = readCode(parameters, begun.state, origins, integration.client_id ?? "");
      const known = { ...begun.settings, ...validSettings(manifest, oauth2.readRedirect?.(parameters)) };
      const secrets: (string | undefined)[] = [code];
      return withUserMessages(manifest.name, secrets, async () => {
        const token = await requestToken({
          manifest,
          integration,
          endpoint: resolveAddress(manifest, oauth2.token, integration, known, sandboxUrl)!,
          parameters: {
            grant_type: "authorization_code",
            code,
            redirect_uri: callbackUrl,
            ...(begun.codeVerifier === null ? {} : { code_verifier: begun.codeVerifier }),
          },
        });
        secrets.push(token.access_token, token.refresh_token);
        const grant = grantOf(token, oauth2);
        const settings = { ...known, ...validSettings(manifest, token.settings) };
        return withAccount(provider, integration, {
          ...grant,
          settings: await discover(provider, integration, grant.credentials, settings),
        });
      });
    },

    /** Checks a key or a password with a call to the provider. */
    async check(integration: Integration, credentials: Credentials, settings: Settings): Promise<Grant> {
      const known = await checkCredentials(integration, credentials, settings);
      return withAccount(providerOf(integration), integration, { credentials, settings: known, expires_at: null });
    },

    /** The settings of a connection, with those that the provider has to be asked for. Checks the credentials too. */
    settings: checkCredentials,

    /** The account that these credentials belong to; null if the provider does not say so in time. */
    async account(
      integration: Integration,
      credentials: Credentials,
      settings: Settings,
    ): Promise<ConnectedAccount | null> {
      const provider = providers.get(integration.identifier);
      return provider ? readAccount(draftConnection(provider, integration, credentials, settings)) : null;
    },
  };
}

function scopeParameter(oauth2: OAuth2, integration: Integration): Record<string, string> {
  const scopes = integration.scopes ?? oauth2.scopes;
  if (scopes.length === 0) return {};
  return { [oauth2.scopeParameter ?? "scope"]: scopes.join(oauth2.scopeDelimiter ?? " ") };
}

/**
 * The code in an authorization response. If the response names its issuer (RFC 9207), it must be the server that the
 * user was sent to: a code is never sent to another one. Manifests only have addresses, so origins are compared.
 */
function readCode(parameters: URLSearchParams, state: string, origins: string[], client_id: string): string {
  const issuer = parameters.get("iss");
  if (issuer !== null && !origins.includes(URL.parse(issuer)?.origin ?? ""))
    throw new NotConnected("server_error", "The authorization response came from a different server than expected");
  try {
    const validated = oauth.validateAuthResponse({ issuer: issuer ?? origins[0]! }, { client_id }, parameters, state);
    const [code, ...others] = validated.getAll("code");
    if (code && others.length === 0) return code;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw authorizationError(parameters);
  }
  throw new NotConnected("server_error", "The provider's OAuth response is malformed");
}

/** The error that the provider redirected with, and its description if that can be shown. */
function authorizationError(parameters: URLSearchParams): NotConnected {
  const given = parameters.get("error") ?? "";
  const error = /^[\w.-]{1,64}$/.test(given) ? given : "server_error";
  const description = showable(parameters.get("error_description") ?? "", []);
  const fallback = error === "access_denied" ? "Access was denied" : "The provider refused the authorization";
  return new NotConnected(error, description || fallback);
}
