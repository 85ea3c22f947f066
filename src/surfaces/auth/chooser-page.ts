import type { AuthType } from "../../contracts/manifest.ts";
import { type Html, html } from "../../runtime/html.ts";
import type { Assets } from "./assets.ts";
import type { Brand } from "./brand.ts";
import { shell } from "./pages.ts";

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
  cancelUrl: string;
}

/** Where the user chooses a provider. */
export const chooserPage = ({ application, brand, choices, cancelUrl }: ChooserPage, assets: Assets): string =>
  shell({
    title: "Connect an account",
    assets,
    brand,
    content: html`<h1>Connect an account</h1>
<p><strong>${application}</strong> wants to connect one of your accounts. Choose which one:</p>
<ul class="choices">
${choices.map(choiceMarkup)}
</ul>
<p class="actions"><a class="button" href="${cancelUrl}">Cancel</a></p>`,
  });

const ways: Record<AuthType, string> = {
  oauth2: "by signing in",
  api_key: "with a key",
  basic: "with a user name and a password",
};

function choiceMarkup({ name, provider, type, url }: Choice): Html {
  const way = name === null ? ways[type] : `${provider}, ${ways[type]}`;
  return html`<li><a href="${url}"><strong>${name ?? provider}</strong> <span class="quiet">${way}</span></a></li>
`;
}
