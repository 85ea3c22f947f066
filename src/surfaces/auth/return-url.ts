/** Appends parameters to the application's redirect URI, which may already have a query. Null omits a parameter. */
export function returnUrl(redirectUri: string, parameters: Record<string, string | null>): string {
  const { href } = new URL(redirectUri);
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const separator = !href.includes("?") ? "?" : /[?&]$/.test(href) ? "" : "&";
  return `${href}${separator}${new URLSearchParams(given)}`;
}

/** The host of an address or, for an app's own scheme, the scheme. */
export function siteName(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol.replace(/:$/, "");
}
