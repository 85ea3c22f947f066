import {
  type Credentials,
  type Setting,
  type SignIn,
  secretValues,
  type TokenAnswer,
} from "../contracts/authentication.ts";
import type { ConnectedAccount, Connection, Integration } from "../contracts/entities.ts";
import { UnusableKey } from "../contracts/fault.ts";
import { checkCall, issuedTokens, type Manifest } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import { readCode } from "./authorization-response.ts";
import type { createAccountReader } from "./connected-account.ts";
import { resolveAddress } from "./connection/address.ts";
import { type ConnectionContext, createConnectionContext } from "./connection/connection-context.ts";
import { issuedGrant, prepareIssue, type TokenIssuer } from "./connection/issue-token.ts";
import { NotConnected, withUserMessages } from "./connection/not-connected.ts";
import type { Providers } from "./connection/providers.ts";
import { grantOf } from "./connection/refresh.ts";
import { askedSettings, effectiveSettings, missingSetting, validSettings } from "./connection/settings.ts";
import type { TokenRequests } from "./connection/token-request.ts";
import { type Consent, type ConsentOptions, consentPage } from "./consent-page.ts";
import type { DiscoveredConsents } from "./discovered-consent.ts";
import type { FormatGuard } from "./operation/format-guard.ts";
import type { OperationRun, UpstreamCaller } from "./operation/upstream.ts";

/** What a new connection is created from. */
export type Grant = Pick<Connection, "credentials" | "settings" | "account" | "expires_at">;

interface ConnectorOptions extends ConsentOptions {
  providers: Pick<Providers, "of">;
  readAccount: ReturnType<typeof createAccountReader>;
  requestToken: TokenRequests;
  issueToken: TokenIssuer;
  call: UpstreamCaller;
  guardFormat: FormatGuard;
  discovered: DiscoveredConsents;
  sandboxUrl: string | undefined;
}

type Settings = Record<string, string>;

/** Why nothing can be signed with a key; undefined if it can be used, or none is needed. Nothing is sent. */
function keyProblem(
  manifest: Manifest,
  integration: Integration,
  credentials: Credentials,
  settings: Settings,
): string | undefined {
  if (!issuedTokens(manifest, integration.type)) return undefined;
  try {
    const all = effectiveSettings(manifest, settings, integration);
    prepareIssue({ manifest, integration, credentials, settings: all });
    return undefined;
  } catch (error) {
    if (error instanceof UnusableKey) return error.message;
    throw error;
  }
}

/** Connects accounts: sends users to consent, exchanges codes, checks keys and discovers settings. */
export function createConnector(options: ConnectorOptions) {
  const { providers, readAccount, requestToken, issueToken, call, guardFormat, discovered } = options;
  const { callbackUrl, sandboxUrl, publicSandboxUrl } = options;

  async function providerOf(integration: Integration): Promise<Provider> {
    const provider = await providers.of(integration.workspace_id, integration.identifier);
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
    return createConnectionContext(provider, record, integration, { sandboxUrl });
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
      const asked = { auth: integration.type, settings: run.connection.settings };
      const found = await guardFormat(run.connection, () => discover((request) => call(run, request), asked));
      known = { ...settings, ...validSettings(manifest, found) };
    }
    const all = effectiveSettings(manifest, known, integration);
    const missing = missingSetting(manifest, "api", integration.type, all);
    if (missing) throw new NotConnected("server_error", `${manifest.name} did not return the account's ${missing}`);
    return known;
  }

  /** Discovers settings and calls the provider. Throws if it refuses the credentials. */
  async function verify(provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) {
    const known = await discover(provider, integration, credentials, settings);
    const check = checkCall(provider.manifest, integration.type);
    if (provider.manifest.mcpOnly) await discovered.check(draftConnection(provider, integration, credentials, known));
    if (check) await call(runOf(draftConnection(provider, integration, credentials, known)), check);
    return known;
  }

  const orderOf = (provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) => {
    const draft = draftConnection(provider, integration, credentials, settings);
    const { settings: all, address } = draft;
    return { manifest: provider.manifest, integration, credentials, settings: all, address };
  };

  /** The credentials with a token, if one has to be issued for them. */
  async function withToken(provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) {
    const issued = issuedTokens(provider.manifest, integration.type);
    if (!issued) return { credentials, settings, expires_at: null };
    const token = await issueToken(orderOf(provider, integration, credentials, settings));
    return {
      ...issuedGrant(token, issued, credentials),
      settings: { ...settings, ...validSettings(provider.manifest, token.settings) },
    };
  }

  async function withAccount(
    provider: Provider,
    integration: Integration,
    grant: Omit<Grant, "account">,
  ): Promise<Grant> {
    const draft = draftConnection(provider, integration, grant.credentials, grant.settings);
    return { ...grant, account: await readAccount(draft) };
  }

  /** The user installed an app: tokens are issued to it once the installation is proved to be the user's. */
  async function completeInstallation(
    provider: Provider,
    integration: Integration,
    { user, settings, redirect }: { user: TokenAnswer; settings: Settings; redirect: URLSearchParams },
  ): Promise<Grant> {
    const { manifest } = provider;
    const { installation } = issuedTokens(manifest, integration.type)!;
    const run = runOf(draftConnection(provider, integration, { token: user.access_token }, settings));
    const proved = await guardFormat(run.connection, () =>
      installation!.prove((request) => call(run, request), redirect),
    );
    if (!proved)
      throw new NotConnected(
        "access_denied",
        `${manifest.name} does not list this installation as yours. If somebody has to approve it, connect again after that.`,
      );
    const known = { ...settings, ...validSettings(manifest, proved.settings) };
    const grant = await withToken(provider, integration, {}, known);
    return {
      ...grant,
      settings: await verify(provider, integration, grant.credentials, grant.settings),
      account: proved.account,
    };
  }

  /** Everything secret that an error of the provider could quote. */
  const secretsOf = ({ client_secret, private_key }: Integration, credentials: Credentials) =>
    [...secretValues(credentials), client_secret, private_key].map((secret) => secret ?? undefined);

  return {
    /** Our client metadata document, for servers at which no client has to be registered. */
    clientDocument: discovered.clientDocument,

    /** Settings to ask the user for, with their names. */
    asks: async (integration: Integration): Promise<[string, Setting][]> =>
      askedSettings((await providerOf(integration)).manifest, integration.type),

    /** Starts an OAuth flow: where to send the user. */
    async begin(integration: Integration, settings: Settings, state: string): Promise<Consent> {
      const provider = await providerOf(integration);
      const { manifest } = provider;
      if (integration.type === "oauth2" && manifest.auth.oauth2?.discovered)
        return discovered.begin(provider, integration, state);
      return consentPage(manifest, integration, settings, state, options);
    },

    /** Ends an OAuth flow: turns the parameters of the provider's redirect into credentials. */
    async complete(
      integration: Integration,
      begun: { settings: Settings; codeVerifier: string | null; signIn?: SignIn | null; state: string },
      parameters: URLSearchParams,
    ): Promise<Grant> {
      const provider = await providerOf(integration);
      const { manifest } = provider;
      const oauth2 = manifest.auth.oauth2;
      if (!oauth2) throw new NotConnected("server_error", "The integration no longer uses OAuth");
      if (oauth2.discovered) {
        const grant = await discovered.complete(provider, integration, begun, parameters);
        return withAccount(provider, integration, { ...grant, settings: begun.settings });
      }
      const all = (settings: Settings) => effectiveSettings(manifest, settings, integration);
      const origins = [oauth2.authorize, oauth2.token].map(
        (name) => resolveAddress(manifest, name, integration, all(begun.settings), publicSandboxUrl)!.origin,
      );
      const code = readCode(parameters, begun.state, origins, integration.client_id ?? "");
      const known = { ...begun.settings, ...validSettings(manifest, oauth2.readRedirect?.(parameters)) };
      const secrets = [code, ...secretsOf(integration, {})];
      return withUserMessages(manifest.name, secrets, async () => {
        const token = await requestToken({
          manifest,
          integration,
          settings: all(known),
          endpoint: resolveAddress(manifest, oauth2.token, integration, all(known), sandboxUrl)!,
          parameters: {
            grant_type: "authorization_code",
            code,
            redirect_uri: callbackUrl,
            ...(begun.codeVerifier === null ? {} : { code_verifier: begun.codeVerifier }),
          },
        });
        secrets.push(token.access_token, token.refresh_token);
        if (integration.type !== "oauth2")
          return completeInstallation(provider, integration, { user: token, settings: known, redirect: parameters });
        const grant = grantOf(token, oauth2);
        const settings = { ...known, ...validSettings(manifest, token.settings) };
        return withAccount(provider, integration, {
          ...grant,
          settings: await discover(provider, integration, grant.credentials, settings),
        });
      });
    },

    keyProblem,

    /** Checks what a user gave us with calls to the provider; the first one may have to request a token. */
    async check(integration: Integration, credentials: Credentials, settings: Settings): Promise<Grant> {
      const provider = await providerOf(integration);
      return withUserMessages(provider.manifest.name, secretsOf(integration, credentials), async () => {
        const grant = await withToken(provider, integration, credentials, settings);
        const known = await verify(provider, integration, grant.credentials, grant.settings);
        return withAccount(provider, integration, { ...grant, settings: known });
      });
    },

    /** The settings of a connection, with those that the provider has to be asked for. Checks the credentials too. */
    async settings(integration: Integration, credentials: Credentials, settings: Settings): Promise<Settings> {
      const provider = await providerOf(integration);
      return withUserMessages(provider.manifest.name, secretsOf(integration, credentials), () =>
        verify(provider, integration, credentials, settings),
      );
    },

    /** The account that these credentials belong to; null if the provider does not say so in time. */
    async account(
      integration: Integration,
      credentials: Credentials,
      settings: Settings,
    ): Promise<ConnectedAccount | null> {
      const provider = await providers.of(integration.workspace_id, integration.identifier);
      return provider ? readAccount(draftConnection(provider, integration, credentials, settings)) : null;
    },
  };
}
