import { hash } from "node:crypto";
import type { EmulatedReply } from "../contracts/emulator.ts";
import { reply } from "../provider-kit/emulator.ts";

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
 * No script, nothing from elsewhere, no framing. A browser holds every redirect after a form to `form-action`, also
 * those behind the redirect URI, which only the application knows: so any web address is a good target.
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

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);

const page = (title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

export interface Consent {
  provider: string;
  client: string;
  scopes: string[];
  account: string;
  redirectUri: string;
}

/** Asks for consent. The form goes back to the address of the page, query and all. */
export function consentPage({ provider, client, scopes, account, redirectUri }: Consent): EmulatedReply {
  const asked = scopes.length > 0 ? scopes : ["the application's default access"];
  const title = `Allow access to ${provider} (sandbox)?`;
  return reply(
    200,
    page(
      title,
      `<h1>${escapeHtml(title)}</h1>
<dl>
<dt>Application</dt><dd>${escapeHtml(client)}</dd>
<dt>Account</dt><dd>${escapeHtml(account)}</dd>
<dt>It asks for</dt><dd><ul>${asked.map((scope) => `<li>${escapeHtml(scope)}</li>`).join("")}</ul></dd>
<dt>Then you go back to</dt><dd>${escapeHtml(new URL(redirectUri).origin)}</dd>
</dl>
<form method="post">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Deny</button>
</form>
<p class="note">This is the sandbox's emulated ${escapeHtml(provider)}. No real account is involved.</p>`,
    ),
    HEADERS,
  );
}

/** Says what is wrong with a request for consent. It never redirects: the address may be anybody's. */
export function refusalPage(provider: string, error: string, description: string): EmulatedReply {
  return reply(
    400,
    page(
      `${provider} (sandbox): ${error}`,
      `<h1>The request to ${escapeHtml(provider)} (sandbox) is not valid</h1>
<p>${escapeHtml(description)}</p>
<p class="note">Error: <code>${escapeHtml(error)}</code></p>`,
    ),
    HEADERS,
  );
}
