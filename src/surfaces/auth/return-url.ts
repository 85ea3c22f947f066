/**
 * The application's address with what it is told, after a query that the address may have already. Null leaves a
 * parameter out.
 */
export function returnUrl(redirectUri: string, parameters: Record<string, string | null>): string {
  const { href } = new URL(redirectUri);
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const separator = !href.includes("?") ? "?" : /[?&]$/.test(href) ? "" : "&";
  return `${href}${separator}${new URLSearchParams(given)}`;
}

/** An address as a person recognises it. */
export function siteOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return host || protocol.replace(/:$/, "");
}
