import type { OAuth2, SignIn } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import type { Provider } from "../../contracts/provider.ts";
import { type Address, exactAddress, SANDBOX } from "./address.ts";

/** The registration is gone, so the refresh tokens that were issued to it are useless. */
const VOID_WITH_REGISTRATION = ["invalid_grant", "invalid_client", "unauthorized_client"];

/** The provider and the integration as a discovered sign-in completes them: its client, and how that authenticates. */
export function withSignIn(provider: Provider, integration: Integration, { client, client_auth, resource }: SignIn) {
  const { manifest } = provider;
  const oauth2: OAuth2 = {
    ...manifest.auth.oauth2!,
    tokenRequestAuth: client_auth,
    tokenParameters: { resource },
    ...(client?.how === "registered" ? { voidGrantCodes: VOID_WITH_REGISTRATION } : {}),
  };
  return {
    provider: { ...provider, manifest: { ...manifest, auth: { ...manifest.auth, oauth2 } } },
    integration: client ? { ...integration, client_id: client.id, client_secret: client.secret } : integration,
  };
}

/** The sign-in's own addresses. The emulator's are where this process has it, whatever its port was before. */
export function signInAddress(signIn: SignIn, name: string, { base_url }: Integration): Address | undefined {
  if (base_url === SANDBOX) return undefined;
  const url = { token: signIn.token_endpoint, revoke: signIn.revocation_endpoint }[name];
  return url ? exactAddress(url) : undefined;
}

/** Whether an identifier of a protected resource covers an address: the same, or one above it on the same host. */
export function coversAddress(resource: string, { origin, path }: Address): boolean {
  const url = URL.parse(resource);
  if (url?.origin !== origin || url.search || url.hash || url.username || url.password) return false;
  const folder = `${url.pathname.replace(/\/+$/, "")}/`;
  return `${path}/`.startsWith(folder);
}
