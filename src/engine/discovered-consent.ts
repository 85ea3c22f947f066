import * as oauth from "oauth4webapi";
import type { Credentials, SignIn } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import type { Provider } from "../contracts/provider.ts";
import { readCode } from "./authorization-response.ts";
import { resolveAddress, SANDBOX } from "./connection/address.ts";
import { NotConnected, withUserMessages } from "./connection/not-connected.ts";
import { grantOf } from "./connection/refresh.ts";
import { coversAddress, signInAddress, withSignIn } from "./connection/sign-in.ts";
import type { TokenRequests } from "./connection/token-request.ts";
import type { McpSignIn } from "./mcp-sign-in.ts";

interface DiscoveredConsentsOptions {
  mcpSignIn: McpSignIn;
  requestToken: TokenRequests;
  callbackUrl: string;
  sandboxUrl: string | undefined;
  publicSandboxUrl: string | undefined;
}

/** Consent at a sign-in that an MCP server describes. Its parts are in the standard form, so the manifest says little. */
export function createDiscoveredConsents(options: DiscoveredConsentsOptions) {
  const { mcpSignIn, requestToken, callbackUrl, sandboxUrl, publicSandboxUrl } = options;
  const address = ({ manifest }: Provider, integration: Integration, name: string) =>
    resolveAddress(manifest, name, integration, {}, sandboxUrl)!;

  return {
    check: mcpSignIn.check,
    clientDocument: mcpSignIn.clientDocument,

    /** Discovers the sign-in, with a client of ours there, and returns where to send the user. */
    async begin(provider: Provider, integration: Integration, state: string) {
      const { authorizationUrl, parameters, signIn } = await mcpSignIn.find(
        address(provider, integration, "mcp"),
        integration,
      );
      // The emulator does not know under which address browsers see it.
      const isEmulated = integration.base_url === SANDBOX;
      const url = new URL(isEmulated ? authorizationUrl.replace(sandboxUrl!, publicSandboxUrl!) : authorizationUrl);
      const codeVerifier = oauth.generateRandomCodeVerifier();
      const all = {
        ...parameters,
        response_type: "code",
        client_id: withSignIn(provider, integration, signIn).integration.client_id!,
        redirect_uri: callbackUrl,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      };
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
      return { url: url.href, codeVerifier, signIn };
    },

    /** Turns the parameters with which the user came back into credentials. */
    async complete(
      provider: Provider,
      integration: Integration,
      begun: { codeVerifier: string | null; signIn?: SignIn | null; state: string },
      parameters: URLSearchParams,
    ): Promise<{ credentials: Credentials; expires_at: string | null }> {
      const { signIn: sign_in, codeVerifier } = begun;
      if (!sign_in || !codeVerifier || !coversAddress(sign_in.resource, address(provider, integration, "mcp")))
        throw new NotConnected("server_error", "The integration has changed in the meantime. Please start again.");
      const { provider: known, integration: client } = withSignIn(provider, integration, sign_in);
      const issuer = parameters.get("iss");
      if (issuer === null ? sign_in.names_issuer : issuer !== sign_in.issuer)
        throw new NotConnected("server_error", "The authorization response came from a different server than expected");
      const code = readCode(parameters, begun.state, [new URL(sign_in.issuer).origin], client.client_id ?? "");
      return withUserMessages(new URL(sign_in.issuer).host, [code, client.client_secret ?? undefined], async () => {
        const token = await requestToken({
          manifest: known.manifest,
          integration: client,
          settings: {},
          endpoint: signInAddress(sign_in, "token", integration) ?? address(provider, integration, "token"),
          parameters: {
            grant_type: "authorization_code",
            code,
            redirect_uri: callbackUrl,
            code_verifier: codeVerifier,
          },
        });
        const { credentials, expires_at } = grantOf(token, known.manifest.auth.oauth2!);
        return { credentials: { ...credentials, sign_in }, expires_at };
      });
    },
  };
}

export type DiscoveredConsents = ReturnType<typeof createDiscoveredConsents>;
