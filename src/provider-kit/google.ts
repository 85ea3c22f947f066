// What Google's APIs have in common: the login, the account, paging and failures. What their emulators share is in
// google-emulator.ts.

import type { Account } from "../categories/identity.ts";
import type { OAuth2 } from "../contracts/authentication.ts";
import { ProviderFailure } from "../contracts/fault.ts";
import type { Answer } from "../contracts/upstream.ts";
import { one } from "./implement.ts";
import { orNull } from "./optional.ts";
import { get } from "./request.ts";

/** The addresses of a manifest that `googleLogin` names. */
export const googleLoginAddresses = {
  authorize: "https://accounts.google.com/o/oauth2/v2/auth",
  token: "https://oauth2.googleapis.com/token",
  revoke: "https://oauth2.googleapis.com/revoke",
};

/** https://developers.google.com/identity/protocols/oauth2/web-server */
export const googleLogin = {
  login: "google",
  authorize: "authorize",
  token: "token",
  // Google issues a refresh token only on request, and another one only after the user consents again.
  authorizeParameters: { access_type: "offline", prompt: "consent" },
  lifetime: 3599,
  revoke: { address: "revoke" },
} satisfies Partial<OAuth2>;

/** The last steps of creating an OAuth application, after its API has been enabled. */
export const googleClientSteps = [
  "Configure the OAuth consent screen, and create an OAuth client of the type **Web application** with the redirect URL under **Authorized redirect URIs**.",
  "Copy the client ID and the client secret.",
];

export const googleScope = (name: string): string => `https://www.googleapis.com/auth/${name}`;

/** Who the connection belongs to: the address `openid` of a manifest, and the scopes for name, email and picture. */
export const googleOpenId = "https://openidconnect.googleapis.com/v1";
export const googleOpenIdScopes = ["openid", "email", "profile"];

interface UserInfo {
  sub: string;
  name?: string;
  email?: string;
  picture?: string;
}

/** https://developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation */
export const googleAccount = one({
  request: () => get("/userinfo", {}, {}, { to: "openid" }),
  record: ({ sub, name, email, picture }: UserInfo): Account => ({
    id: sub,
    name: orNull(name),
    email: orNull(email),
    avatar_url: orNull(picture),
  }),
});

/** Google leaves empty fields out of a response. */
export interface GooglePage {
  nextPageToken?: string;
}

export const googleNextPage = ({ body }: Answer<GooglePage>): string | null => body.nextPageToken || null;

/** The body of a failure. Older APIs give a reason for each of its errors. */
interface GoogleFailure {
  error?: { errors?: { reason?: string }[] };
}

const reasonOf = (body: GoogleFailure | null): string | undefined => body?.error?.errors?.[0]?.reason;

const RATE_LIMITED = new Set(["rateLimitExceeded", "userRateLimitExceeded"]);

/** Older APIs report a rate limit as 403. https://developers.google.com/workspace/drive/api/guides/handle-errors */
export const googleFailed = ({ status, body }: Answer<GoogleFailure | null>): number | undefined =>
  status === 403 && RATE_LIMITED.has(reasonOf(body) ?? "") ? 429 : undefined;

/** Whether a call failed because the connection's scopes do not allow it. */
export function isMissingGoogleScope(error: unknown): boolean {
  if (!(error instanceof ProviderFailure) || error.status !== 403) return false;
  try {
    return reasonOf(JSON.parse(error.body.toString())) === "insufficientPermissions";
  } catch {
    return false;
  }
}
