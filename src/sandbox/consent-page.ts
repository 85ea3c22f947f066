import { hash } from "node:crypto";
import type { EmulatedReply } from "../contracts/emulator.ts";
import { reply } from "../emulator-kit/emulator.ts";
import { type Html, html, toText, trusted } from "../runtime/html.ts";

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: min(28rem, 100% - 2rem); margin: 1rem; padding: 1.5rem; border: 1px solid GrayText; border-radius: 0.75rem; }
h1 { margin: 0 0 0.5rem; font-size: 1.25rem; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: 0.75rem; }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 1.25rem; }
form { display: flex; gap: 0.75rem; margin-top: 1.5rem; }
button { flex: 1; font: inherit; padding: 0.6rem 1rem; border: 1px solid #1b5e3b; border-radius: 0.5rem; cursor: pointer; background: Canvas; color: CanvasText; }
button[value="allow"] { background: #1b5e3b; color: #fff; }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
.note { margin: 1.25rem 0 0; font-size: 0.875rem; }
`;

/**
 * No scripts, no external resources, no framing. Browsers apply `form-action` to every redirect after a form, including
 * those behind the redirect URI, which only the application knows. So any web address must be allowed.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", STYLE, "base64")}'`,
  "form-action 'self' http: https:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

const htmlDocument = (title: string, content: Html): string =>
  toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`);

export interface Consent {
  provider: string;
  client: string;
  scopes: string[];
  account: string;
  redirectUri: string;
}

/** Asks for consent. The form is posted to the address of the page, including its query. */
export function consentPage({ provider, client, scopes, account, redirectUri }: Consent): EmulatedReply {
  const requested = scopes.length > 0 ? scopes : ["the application's default access"];
  const title = `Allow access to ${provider} (sandbox)?`;
  return reply(
    200,
    htmlDocument(
      title,
      html`<h1>${title}</h1>
<dl>
<dt>Application</dt><dd>${client}</dd>
<dt>Account</dt><dd>${account}</dd>
<dt>Requested access</dt><dd><ul>${requested.map((scope) => html`<li>${scope}</li>`)}</ul></dd>
<dt>You will return to</dt><dd>${new URL(redirectUri).origin}</dd>
</dl>
<form method="post">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>
<p class="note">This is the sandbox's emulated ${provider}. No real account is involved.</p>`,
    ),
    HEADERS,
  );
}

/** Explains what is wrong with an authorization request. It never redirects, because the redirect URI is untrusted. */
export function refusalPage(provider: string, error: string, description: string): EmulatedReply {
  return reply(
    400,
    htmlDocument(
      `${provider} (sandbox): ${error}`,
      html`<h1>The request to ${provider} (sandbox) is invalid</h1>
<p>${description}</p>
<p class="note">Error: <code>${error}</code></p>`,
    ),
    HEADERS,
  );
}
