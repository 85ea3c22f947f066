import * as oauth from "oauth4webapi";
import type { OAuth2, SignIn } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import { issuedTokens, type Manifest } from "../contracts/manifest.ts";
import { fillAll, resolveAddress } from "./connection/address.ts";
import { NotConnected } from "./connection/not-connected.ts";
import { effectiveSettings, missingSetting } from "./connection/settings.ts";

/** The provider's consent page for one user. */
export interface Consent {
  url: string;
  codeVerifier: string | null;
  /** How it continues, if that was discovered. */
  signIn?: SignIn;
}

export interface ConsentOptions {
  /** Where the consent page redirects to. */
  callbackUrl: string;
  /** The sandbox's address for browsers. */
  publicSandboxUrl: string | undefined;
}

function scopeParameter(oauth2: OAuth2, integration: Integration): Record<string, string> {
  const scopes = integration.scopes ?? oauth2.scopes;
  if (scopes.length === 0) return {};
  return { [oauth2.scopeParameter ?? "scope"]: scopes.join(oauth2.scopeDelimiter ?? " ") };
}

/** Where the manifest sends users to consent, or to install an app. */
export async function consentPage(
  manifest: Manifest,
  integration: Integration,
  settings: Record<string, string>,
  state: string,
  { callbackUrl, publicSandboxUrl }: ConsentOptions,
): Promise<Consent> {
  const { client_id, type } = integration;
  if (!client_id) throw new NotConnected("server_error", "The integration has no client ID yet");
  const all = effectiveSettings(manifest, settings, integration);
  const installation = issuedTokens(manifest, type)?.installation;
  const page = installation?.page ?? manifest.auth.oauth2!.authorize;
  const missing = missingSetting(manifest, page, type, all);
  if (missing) throw new NotConnected("server_error", `The integration has no ${missing} yet`);
  const address = resolveAddress(manifest, page, integration, all, publicSandboxUrl)!;
  const url = new URL(address.origin + (address.path || "/"));
  if (installation) {
    url.searchParams.set("state", state);
    return { url: url.href, codeVerifier: null };
  }
  const oauth2 = manifest.auth.oauth2!;
  const codeVerifier = oauth2.pkce === false ? null : oauth.generateRandomCodeVerifier();
  const parameters: Record<string, string> = {
    ...fillAll(oauth2.authorizeParameters, all),
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
}
