import type { Integration } from "../../contracts/entities.ts";
import type { Provider } from "../../contracts/provider.ts";

/**
 * The providers that a connection reaches besides its own: those of the same login with a scope that the integration
 * requests and that no other of them has.
 */
export function relativesOf(
  { manifest }: Provider,
  { type, scopes }: Pick<Integration, "type" | "scopes">,
  all: Iterable<Provider>,
): Provider[] {
  const login = manifest.auth.oauth2?.login;
  if (type !== "oauth2" || scopes === null || login === undefined) return [];
  const family = [...all].filter(({ manifest: { auth } }) => auth.oauth2?.login === login);
  const scopesOf = (provider: Provider) => provider.manifest.auth.oauth2!.scopes;
  return family.filter((provider) => {
    const others = family.filter((other) => other !== provider).flatMap(scopesOf);
    const isRequested = scopesOf(provider).some((scope) => scopes.includes(scope) && !others.includes(scope));
    return provider.manifest.id !== manifest.id && isRequested;
  });
}
