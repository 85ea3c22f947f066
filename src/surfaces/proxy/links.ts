/**
 * Rewrites the targets of a `Link` header from the provider's address to the Proxy's. Official clients follow these
 * links with the credentials of the previous request, and would send our API key to the provider.
 */
export function rewriteLinks(link: string | string[], providerUrl: string, proxyUrl: string): string | string[] {
  const target = new RegExp(`<${RegExp.escape(providerUrl)}(?=[/?#>])`, "g");
  const rewrite = (value: string) => value.replaceAll(target, () => `<${proxyUrl}`);
  return Array.isArray(link) ? link.map(rewrite) : rewrite(link);
}
