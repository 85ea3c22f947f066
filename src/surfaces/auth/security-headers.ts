const BASE = ["default-src 'none'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"];

/** For pages that send nothing. No script at all, nothing from elsewhere, no framing. */
export const policy = [...BASE, "form-action 'none'"].join("; ");

/**
 * For pages with a form. A browser holds every redirect after a form to `form-action`, also those behind the provider's
 * page and behind the application's address, which nobody here can know: so any https address is a good end, plain http
 * where it is used already, and the application's own scheme.
 */
export function formPolicy(...addresses: string[]): string {
  const schemes = new Set(["https:"]);
  for (const address of addresses) {
    const protocol = URL.parse(address)?.protocol;
    if (protocol) schemes.add(protocol);
  }
  return [...BASE, `form-action 'self' ${[...schemes].join(" ")}`].join("; ");
}

/** On every answer: nothing is kept, framed, guessed or told to other sites. */
export const headers = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};
