const BASE = ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"];

/** For pages without a form: no scripts, no resources from other hosts, no framing. */
export const policy = [...BASE, "form-action 'none'"].join("; ");

/** For a page whose form leads to itself. */
export const searchPolicy = [...BASE, "form-action 'self'"].join("; ");

/**
 * For pages with a form. Browsers apply `form-action` to every redirect that follows a submission, including those of
 * the provider and the application, whose targets are unknown here. So it allows every https address, plus the schemes
 * of the given addresses: http or an app's own scheme.
 */
export function formPolicy(...addresses: string[]): string {
  const schemes = new Set(["https:"]);
  for (const address of addresses) {
    const protocol = URL.parse(address)?.protocol;
    if (protocol) schemes.add(protocol);
  }
  return [...BASE, `form-action 'self' ${[...schemes].join(" ")}`].join("; ");
}

/** For the page that tells its opener how a session ended: it has a script of this host. */
export const resultPolicy = [...BASE, "script-src 'self'", "form-action 'none'"].join("; ");

/** On every response: no caching, framing, content sniffing or referrer. */
export const securityHeaders = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
