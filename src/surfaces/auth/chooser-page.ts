import type { AuthType } from "../../contracts/authentication.ts";
import { type Html, html } from "../../runtime/html.ts";
import type { Assets } from "./assets.ts";
import type { Brand } from "./brand.ts";
import { shell } from "./pages.ts";
import { providerMark } from "./provider-mark.ts";

/** An integration that the user can choose. */
export interface Choice {
  id: string;
  /** The integration's own name, if it has one. */
  name: string | null;
  provider: string;
  type: AuthType;
  url: string;
}

interface ChooserPage {
  application: string;
  brand: Brand;
  choices: readonly Choice[];
  /** The session's own address. */
  url: string;
  /** What the user searched for. */
  search: string;
}

/** Fewer are found faster by looking. */
const MIN_SEARCHED = 9;

/** Where the user chooses a provider. */
export function chooserPage({ application, brand, choices, url, search }: ChooserPage, assets: Assets): string {
  const wanted = search.trim().toLowerCase();
  const found = choices.filter(({ name, provider }) => `${name ?? ""} ${provider}`.toLowerCase().includes(wanted));
  return shell({
    title: "Connect an account",
    assets,
    brand,
    content: html`<h1>Connect an account</h1>
<p><strong>${application}</strong> wants to connect one of your accounts. Choose which one:</p>
${choices.length >= MIN_SEARCHED && searchForm(url, search)}
${found.length === 0 ? html`<p role="status">None has this name. <a href="${url}">Show all</a></p>` : html`<ul class="choices">${found.map(choiceMarkup)}</ul>`}
<p class="actions"><a class="button" href="${url}&cancel=true">Cancel</a></p>`,
  });
}

function searchForm(address: string, search: string): Html {
  const { origin, pathname, searchParams } = new URL(address);
  return html`<form class="search" role="search" action="${origin}${pathname}">
<input type="hidden" name="session" value="${searchParams.get("session")}">
<label for="q">Name</label>
<div><input id="q" name="q" type="search" value="${search}" autocomplete="off"><button>Search</button></div>
</form>`;
}

/** What the user needs at hand. Signing in is what everybody expects. */
const ways: Record<AuthType, string> = {
  oauth2: "",
  api_key: "with a key",
  basic: "with a user name and a password",
  client_credentials: "with a client ID and a secret",
  two_step: "with credentials of its API",
  jwt: "with a signing key",
  github_app: "",
  none: "",
};

function choiceMarkup({ name, provider, type, url }: Choice): Html {
  const details = [name !== null && provider, ways[type]].filter(Boolean).join(", ");
  return html`<li><a href="${url}">${providerMark(provider)}<strong>${name ?? provider}</strong>${details && html` <span class="quiet">${details}</span>`}</a></li>
`;
}
