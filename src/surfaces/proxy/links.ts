/**
 * Points the targets of a `Link` header that lie below `base` to the same place below `own`. Official clients follow
 * them with the credentials of the request before: they would take our key to the provider, which does not know it.
 */
export function rewriteLinks(link: string | string[], base: string, own: string): string | string[] {
  const target = new RegExp(`<${RegExp.escape(base)}(?=[/?#>])`, "g");
  const point = (value: string) => value.replaceAll(target, () => `<${own}`);
  return Array.isArray(link) ? link.map(point) : point(link);
}
