import * as oauth from "oauth4webapi";
import type { Connection, Integration } from "../contracts/entities.ts";
import { Fault, ProviderFailure } from "../contracts/fault.ts";
import type { Credentials, OAuth2, Setting } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import { resolveAddress } from "./connection/address.ts";
import { type ConnectionContext, createConnectionContext } from "./connection/connection-context.ts";
import { grantOf } from "./connection/refresh.ts";
import { providerReason, showable } from "./connection/safe-provider-message.ts";
import { askedSettings, missingSetting, validSettings } from "./connection/settings.ts";
import { GrantRefused, type TokenRequests } from "./connection/token-request.ts";
import type { Run, UpstreamCaller } from "./operation/upstream.ts";

/** What a connection is made from. */
export type Grant = Pick<Connection, "credentials" | "settings" | "expires_at">;

/** The way to consent. */
export interface Consent {
  url: string;
  codeVerifier: string | null;
}

/** No connection came about. `error` is in the standard's words (RFC 6749, 4.1.2.1), the message fit for the user. */
export class NotConnected extends Error {
  readonly error: string;
  constructor(error: string, message: string) {
    super(message);
    this.name = "NotConnected";
    this.error = error;
  }
}

interface ConnectorOptions {
  providers: ReadonlyMap<string, Provider>;
  requestToken: TokenRequests;
  call: UpstreamCaller;
  /** Where consent leads back to. */
  callbackUrl: string;
  sandboxUrl: string | undefined;
  /** The same as a browser reaches it. */
  publicSandboxUrl: string | undefined;
}

type Settings = Record<string, string>;

/** What connecting an account takes: the way to consent, codes exchanged, keys checked, settings learnt. */
export function createConnector(options: ConnectorOptions) {
  const { providers, requestToken, call, callbackUrl, sandboxUrl, publicSandboxUrl } = options;

  function providerOf(integration: Integration): Provider {
    const provider = providers.get(integration.identifier);
    if (!provider?.manifest.auth[integration.type])
      throw new NotConnected("server_error", `The integration's provider or its type ${integration.type} is not known`);
    return provider;
  }

  /** A connection that is not stored yet. Its refresh token stays out: nothing may be renewed before it is. */
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
      is_valid: true,
      invalid_reason: null,
      expires_at: null,
      refreshed_at: null,
      created_at: now,
      updated_at: now,
    };
    return createConnectionContext(provider, record, integration, sandboxUrl);
  }

  const runOf = (connection: ConnectionContext): Run => ({ connection, maxRetries: 1, repeatable: true, calls: 0 });

  /** Adds what has to be asked for once the credentials are there. */
  async function discover(provider: Provider, integration: Integration, credentials: Credentials, settings: Settings) {
    const { manifest } = provider;
    let known = settings;
    if (manifest.discover) {
      const run = runOf(draftConnection(provider, integration, credentials, settings));
      const found = await manifest.discover((request) => call(run, request), { auth: integration.type, settings });
      known = { ...settings, ...validSettings(manifest, found) };
    }
    const missing = missingSetting(manifest, "api", integration.type, known);
    if (missing) throw new NotConnected("server_error", `${manifest.name} did not tell this account's ${missing}`);
    return known;
  }

  return {
    /** Per-account values to ask the user for, with their names. */
    asks: (integration: Integration): [string, Setting][] =>
      askedSettings(providerOf(integration).manifest, integration.type),

    /** Where the user gives consent. */
    async begin(integration: Integration, settings: Settings, state: string): Promise<Consent> {
      const { manifest } = providerOf(integration);
      const oauth2 = manifest.auth.oauth2!;
      const { client_id } = integration;
      if (!client_id) throw new NotConnected("server_error", "The integration has no client id yet");
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

    /** Turns what the provider sent back into credentials. */
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
      const code = readAnswer(parameters, begun.state, origins, integration.client_id ?? "");
      const told = { ...begun.settings, ...validSettings(manifest, oauth2.readRedirect?.(parameters)) };
      const secrets: (string | undefined)[] = [code];
      return explained(manifest.name, secrets, async () => {
        const token = await requestToken({
          manifest,
          integration,
          endpoint: resolveAddress(manifest, oauth2.token, integration, told, sandboxUrl)!,
          parameters: {
            grant_type: "authorization_code",
            code,
            redirect_uri: callbackUrl,
            ...(begun.codeVerifier === null ? {} : { code_verifier: begun.codeVerifier }),
          },
        });
        secrets.push(token.access_token, token.refresh_token);
        const grant = grantOf(token, oauth2);
        const settings = { ...told, ...validSettings(manifest, token.settings) };
        return { ...grant, settings: await discover(provider, integration, grant.credentials, settings) };
      });
    },

    /** Makes sure that a key or a password is good, by a call to the provider. */
    async check(integration: Integration, credentials: Credentials, settings: Settings): Promise<Grant> {
      const provider = providerOf(integration);
      const { manifest } = provider;
      return explained(manifest.name, Object.values(credentials), async () => {
        const known = await discover(provider, integration, credentials, settings);
        await call(runOf(draftConnection(provider, integration, credentials, known)), manifest.check);
        return { credentials, settings: known, expires_at: null };
      });
    },
  };
}

function scopeParameter(oauth2: OAuth2, integration: Integration): Record<string, string> {
  const scopes = integration.scopes ?? oauth2.scopes;
  if (scopes.length === 0) return {};
  return { [oauth2.scopeParameter ?? "scope"]: scopes.join(oauth2.scopeDelimiter ?? " ") };
}

/**
 * The code in a provider's answer. Where the answer says who gives it (RFC 9207), it must be the server that was asked:
 * a code is never taken to another one. Manifests know servers by address, so the issuer's origin is compared.
 */
function readAnswer(parameters: URLSearchParams, state: string, origins: string[], client_id: string): string {
  const issuer = parameters.get("iss");
  const elsewhere = () => new NotConnected("server_error", "The answer came from another server than the one asked");
  if (issuer !== null && !origins.includes(URL.parse(issuer)?.origin ?? "")) throw elsewhere();
  try {
    const sound = oauth.validateAuthResponse({ issuer: issuer ?? origins[0]! }, { client_id }, parameters, state);
    const [code, ...others] = sound.getAll("code");
    if (code && others.length === 0) return code;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) throw refusal(parameters);
  }
  throw new NotConnected("server_error", "The provider's answer is not as the standard has it");
}

/** The provider's own error, in its own words as far as they can be shown. */
function refusal(parameters: URLSearchParams): NotConnected {
  const given = parameters.get("error") ?? "";
  const error = /^[\w.-]{1,64}$/.test(given) ? given : "server_error";
  const description = showable(parameters.get("error_description") ?? "", []);
  const usual = error === "access_denied" ? "Access was not granted" : "The provider refused";
  return new NotConnected(error, description || usual);
}

/** Puts every failure of the provider into words for the user. */
async function explained<Result>(
  name: string,
  secrets: readonly (string | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw explain(name, secrets, error);
  }
}

function explain(name: string, secrets: readonly (string | undefined)[], error: unknown): unknown {
  if (error instanceof GrantRefused) return new NotConnected("access_denied", `${name} refused: ${error.message}`);
  if (error instanceof ProviderFailure) {
    const reason = providerReason(parse(error.body), secrets);
    if (error.status === 429 || error.status >= 500) return unavailable(name);
    return new NotConnected(
      "access_denied",
      `${name} refused${reason ? `: ${reason}` : ` with status ${error.status}`}`,
    );
  }
  if (!(error instanceof Fault)) return error;
  if (error.kind === "refresh_unavailable") return new NotConnected("server_error", sentence(error.message));
  if (error.kind === "upstream_forbidden" || error.kind === "upstream_malformed")
    return new NotConnected("server_error", `${name} could not be asked: ${error.message}`);
  if (error.kind.startsWith("upstream_") || error.kind === "overloaded") return unavailable(name);
  return error;
}

const unavailable = (name: string) =>
  new NotConnected("temporarily_unavailable", `${name} does not answer as it should just now. Please try again`);

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function parse(body: Buffer): unknown {
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    // A page is no reason.
    return text.includes("<") ? undefined : text;
  }
}
