import { type Html, html } from "../../../runtime/html.ts";
import { BASE } from "../base.ts";
import { field } from "../components/fields.ts";

/** How people can sign in. */
export interface SignInWays {
  /** The address of the identity provider's button, and whose it is; undefined if it is not configured. */
  oidc: { startUrl: string; host: string } | undefined;
  linksAndKeys: boolean;
}

export interface SignInPage {
  next: string;
  problem?: string;
  status?: number;
  /** Above everything else. */
  notice?: Html | undefined;
}

const startUrl = ({ startUrl }: { startUrl: string }, next: string, parameters: Record<string, string> = {}): string =>
  `${startUrl}?${new URLSearchParams({ next, ...parameters })}`;

const button = (oidc: NonNullable<SignInWays["oidc"]>, next: string): Html =>
  html`<p><a class="button primary" href="${startUrl(oidc, next)}">Sign in with ${oidc.host}</a></p>`;

export const linkExpired: Html = html`<div class="notice bad" role="alert"><strong>This link no longer works.</strong> It was used, or it is older than 15 minutes.</div>`;

export const peopleOnly: Html = html`<div class="notice bad" role="alert"><strong>Links and API keys do not sign in here.</strong> Only people do, with their own account (<code>DASHBOARD_SIGN_IN=oidc</code>).</div>`;

export const signedOutHere: Html = html`<div class="notice" role="status">You are signed out of the dashboard. Your account may still be signed in: <a href="${BASE}/oidc/sign-out">sign out there too</a>.</div>`;

export const linkForm = (workspace: string, link: string): Html => html`<h1>Sign in</h1>
<p>This link signs you in to the workspace <strong class="anywhere">${workspace}</strong> for 12 hours. It works once.</p>
<form method="post" action="${BASE}/sign-in">
<input type="hidden" name="link" value="${link}">
<button class="primary" autofocus>Continue to the dashboard</button>
</form>`;

const linksAndKeys = ({ next, problem }: SignInPage, isOnly: boolean): Html => html`
<p>${isOnly ? "For" : "Or, for"} a link that signs you in, run this where Plugboard runs:</p>
<pre class="wrap">npx plugboard dashboard</pre>
<p>Or use an API key of the workspace:</p>
<form method="post" action="${BASE}/sign-in" class="stack">
<input type="hidden" name="next" value="${next}">
${field({ name: "api_key", label: "API key", input: "password", required: true, placeholder: "sk_…", problem, focused: isOnly || problem !== undefined })}
<div><button${isOnly && html` class="primary"`}>Sign in</button></div>
</form>`;

export const signInForm = (page: SignInPage, ways: SignInWays): Html => html`<h1>Sign in</h1>
${page.notice}
${ways.oidc && button(ways.oidc, page.next)}
${ways.linksAndKeys && linksAndKeys(page, !ways.oidc)}`;

/** Why somebody was not signed in. */
export interface Refusal {
  status: number;
  title: string;
  message: Html | string;
  /** Whether another account may be accepted. */
  otherAccount?: boolean;
}

export const refusalContent = (
  { title, message, otherAccount }: Refusal,
  oidc: NonNullable<SignInWays["oidc"]>,
  requestId: string,
): Html => html`<h1>${title}</h1>
<p>${message}</p>
<p class="row">${
  otherAccount
    ? html`<a class="button" href="${startUrl(oidc, BASE, { prompt: "login" })}">Sign in as somebody else</a>`
    : html`<a class="button primary" href="${startUrl(oidc, BASE)}">Try again</a>`
}<a class="button" href="${BASE}/sign-in">To the sign-in page</a></p>
<p class="quiet small">Reference: <span class="mono">${requestId}</span></p>`;
