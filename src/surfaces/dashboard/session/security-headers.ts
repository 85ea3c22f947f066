/**
 * Scripts, styles and images come from this service's own files and nowhere else; nothing is inline. Forms can only be
 * sent to this service, and no other page can frame this one.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** For a page that shows an image of another host. */
export const policyWithImage = (url: string): string =>
  policy.replace("img-src 'self'", `img-src 'self' ${new URL(url).origin}`);

/** For a page whose script asks this service. */
export const policyWithRequests = `${policy}; connect-src 'self'`;

export const securityHeaders = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  // With `no-referrer`, browsers would send no usable `Origin` with a form.
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
