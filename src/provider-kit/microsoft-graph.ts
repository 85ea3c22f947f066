// What every provider on Microsoft Graph has in common: https://learn.microsoft.com/en-us/graph/overview

import type { Account } from "../categories/identity.ts";
import type { OAuth2 } from "../contracts/authentication.ts";
import type { Answer, Query } from "../contracts/upstream.ts";
import { one } from "./implement.ts";
import { orNull } from "./optional.ts";
import { type LinkQuery, linkQuery } from "./paging.ts";
import { get } from "./request.ts";

/**
 * Whose accounts can connect: those of any organization, or personal ones as well.
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols#endpoints
 */
type Accounts = "organizations" | "common";

export function graphAddresses(accounts: Accounts) {
  const login = `https://login.microsoftonline.com/${accounts}/oauth2/v2.0`;
  return {
    api: "https://graph.microsoft.com/v1.0",
    beta: "https://graph.microsoft.com/beta",
    authorize: `${login}/authorize`,
    token: `${login}/token`,
  };
}

const ACCOUNT_TYPES: Record<Accounts, string> = {
  organizations: "accounts in any organizational directory as supported account types (multitenant)",
  common: "accounts in any organizational directory and personal Microsoft accounts as supported account types",
};

interface GraphOAuth {
  accounts: Accounts;
  /** Delegated permissions: https://learn.microsoft.com/en-us/graph/permissions-reference */
  scopes: string[];
  /** What the step about permissions has to say besides which ones. */
  permissionsNote?: string;
}

/** Individual tokens cannot be revoked. https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow */
export const graphOAuth = ({ accounts, scopes, permissionsNote = "" }: GraphOAuth): OAuth2 => ({
  app: {
    url: "https://learn.microsoft.com/en-us/entra/identity-platform/quickstart-register-app",
    steps: [
      `In the Microsoft Entra admin center, under **App registrations**, select **New registration**, with ${ACCOUNT_TYPES[accounts]}.`,
      "Add the redirect URL for the platform **Web**.",
      `Under **API permissions**, add the delegated permissions of Microsoft Graph below.${permissionsNote && ` ${permissionsNote}`}`,
      "The **Application (client) ID** is the client ID. Create a client secret under **Certificates & secrets**.",
    ],
  },
  login: "microsoft",
  authorize: "authorize",
  token: "token",
  // `offline_access` is for a refresh token.
  scopes: ["offline_access", ...scopes],
  // A random value between 60 and 90 minutes. https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens
  lifetime: 3599,
  // https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens
  rotates: true,
});

export interface GraphPage<Item> {
  value: Item[];
  "@odata.nextLink"?: string;
}

/** The query of the link to the next page, which repeats the whole query. https://learn.microsoft.com/en-us/graph/paging */
export const graphNextPage = ({ body }: Answer<GraphPage<unknown>>): LinkQuery | null =>
  linkQuery(body["@odata.nextLink"]);

/** Some lists continue with `$skiptoken`, others with `$skip`. */
export const graphPageQuery = ({ limit, cursor }: { limit: number; cursor: LinkQuery | undefined }): Query => ({
  $top: limit,
  $skip: undefined,
  $skiptoken: undefined,
  ...cursor,
});

export interface GraphUser {
  id: string;
  displayName?: string | null;
  mail?: string | null;
  userPrincipalName?: string | null;
}

/** The account name of a guest is no address: `hina_example.com#EXT#@host.onmicrosoft.com`. */
export const graphAddressOf = ({ mail, userPrincipalName }: GraphUser): string | null =>
  orNull(mail, userPrincipalName?.includes("#EXT#") ? null : userPrincipalName);

/** A picture has no address that works without a token. https://learn.microsoft.com/en-us/graph/api/user-get */
export const graphAccount = one({
  request: () => get("/me"),
  record: (user: GraphUser): Account => ({
    id: user.id,
    name: orNull(user.displayName, user.userPrincipalName),
    email: graphAddressOf(user),
    avatar_url: null,
  }),
});
