import * as oauth from "oauth4webapi";
import { NotConnected } from "./connection/not-connected.ts";
import { showable } from "./connection/safe-provider-message.ts";

/**
 * The code in an authorization response. If the response names its issuer (RFC 9207), it must be the server that the
 * user was sent to: a code is never sent to another one. Manifests only have addresses, so origins are compared.
 */
export function readCode(parameters: URLSearchParams, state: string, origins: string[], client_id: string): string {
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
