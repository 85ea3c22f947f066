import { type Html, html, toText } from "../../runtime/html.ts";
import type { Assets } from "./assets.ts";
import type { Brand } from "./brand.ts";

export interface Field {
  /** The input's name and its id on the page. */
  name: string;
  label: string;
  hint?: Html | string | undefined;
  placeholder?: string | undefined;
  /** Shown as a password input, without its value. */
  secret?: boolean;
  /** Has several lines. */
  long?: boolean;
  /** Makes it a list to choose from. */
  choices?: readonly string[] | undefined;
  optional?: boolean | undefined;
  value?: string | undefined;
  problem?: string | undefined;
}

export interface ConnectPage {
  provider: string;
  /** Name of the application that asks for access. */
  application: string;
  brand: Brand;
  reconnects: boolean;
  /** Whether the user continues to a page of the provider: to consent (OAuth) or to install an app. */
  consent: false | "sign-in" | "install";
  scopes: readonly string[];
  fields: readonly Field[];
  /** A problem that does not belong to a field. */
  problem?: string | undefined;
  /** The MCP client that can use the account afterwards, if any. */
  mcpClient?: { client_name: string; redirect_host: string } | undefined;
  /** Name of the site that the user returns to, if any. */
  returnsTo: string | undefined;
  /** Where the user can choose another provider. */
  chooserUrl?: string | undefined;
  ticket: string;
}

interface Shell {
  title: string;
  assets: Assets;
  brand?: Brand | undefined;
  content: Html;
  footer?: Html;
}

export const shell = ({ title, assets, brand, content, footer }: Shell): string =>
  toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${assets.style}">
${brand?.themeUrl && html`<link rel="stylesheet" href="${brand.themeUrl}">`}
</head>
<body>
<main>
${brand?.logoUrl && html`<img class="logo" src="${brand.logoUrl}" alt="">`}
${content}
</main>
${footer && html`<footer>${footer}</footer>`}
</body>
</html>
`);

/** The page that sends the user to the provider (OAuth) or asks for credentials. */
export function connectPage(page: ConnectPage, assets: Assets): string {
  const { provider, application, fields, problem, consent, ticket } = page;
  const invalid = fields.filter((field) => field.problem !== undefined);
  const hasProblem = invalid.length > 0 || problem !== undefined;
  const title = `${page.reconnects ? "Reconnect" : "Connect"} ${provider}`;
  return shell({
    title: hasProblem ? `Error: ${title}` : title,
    assets,
    brand: page.brand,
    content: html`<h1>${title}</h1>
<p><strong>${application}</strong> wants to connect your ${provider} account.</p>
${page.mcpClient && mcpClientNotice(page.mcpClient)}
${hasProblem && problemSummary(invalid, problem)}
${consent && html`<p>You will continue to ${provider} to ${consent === "install" ? "choose where its app is installed" : "sign in and approve access"}. Your password is not shared.</p>`}
${consent && page.scopes.length > 0 && scopeList(page.scopes)}
<form method="post">
<input type="hidden" name="ticket" value="${ticket}">
${fields.map((field, index) => fieldMarkup(field, hasProblem ? field === (invalid[0] ?? fields[0]) : index === 0))}
<div class="actions">
<button class="primary" name="decision" value="continue">${consent ? `Continue to ${provider}` : "Connect"}</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>
${page.chooserUrl && html`<p class="other"><a href="${page.chooserUrl}">Choose another account</a></p>`}`,
    footer: html`${page.returnsTo !== undefined && `Either way, you will return to ${page.returnsTo}. `}Plugboard encrypts the credentials that it stores.`,
  });
}

const isOwnMachine = (host: string) => ["127.0.0.1", "localhost", "[::1]"].includes(host);

/** Who gets the access of an MCP client: a host, or whichever app has claimed the scheme. */
export const recipient = (redirectHost: string): Html =>
  redirectHost.endsWith(":")
    ? html`<strong>an app on this device</strong> with the URL scheme “${redirectHost}”`
    : html`<strong>${redirectHost}</strong>${isOwnMachine(redirectHost) && ", a program on your own machine"}`;

const mcpClientNotice = ({ client_name, redirect_host }: NonNullable<ConnectPage["mcpClient"]>): Html =>
  html`<p><strong>${client_name}</strong> (${recipient(redirect_host)}) can then use it, as you have allowed it to use your other accounts. If you did not ask for this there, choose Cancel.</p>`;

export const problemSummary = (invalid: readonly Field[], problem: string | undefined): Html => html`
<div class="problems" role="alert">
<h2>There is a problem</h2>
<ul>
${problem !== undefined && html`<li>${problem}</li>`}
${invalid.map((field) => html`<li><a href="#${field.name}">${field.label}: ${field.problem}</a></li>`)}
</ul>
</div>`;

const scopeList = (scopes: readonly string[]): Html => html`
<details>
<summary>Requested access</summary>
<ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>
</details>`;

export function fieldMarkup(field: Field, focused: boolean): Html {
  const { name, label, hint, placeholder, optional, problem } = field;
  const described = [hint && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean).join(" ");
  const attributes = html`id="${name}" name="${name}"${!optional && html` required`}
${placeholder && html` placeholder="${placeholder}"`}
${described && html` aria-describedby="${described}"`}
${problem !== undefined && html` aria-invalid="true"`}
${focused && html` autofocus`}`;
  return html`
<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${inputMarkup(field, attributes)}
${problem !== undefined && html`<p class="wrong" id="${name}-problem">${problem}</p>`}
</div>`;
}

const AS_TYPED = html`autocomplete="off" autocapitalize="off" spellcheck="false"`;

function inputMarkup({ secret, long, choices, value }: Field, attributes: Html): Html {
  if (choices)
    return html`<select ${attributes}><option value="">Choose</option>${choices.map(
      (choice) => html`<option${choice === value && html` selected`}>${choice}</option>`,
    )}</select>`;
  // A password input has one line: a key in several would be pasted without its line breaks.
  if (long) return html`<textarea ${attributes} rows="6" ${AS_TYPED}></textarea>`;
  return html`<input ${attributes} type="${secret ? "password" : "text"}" ${AS_TYPED}${!secret && value && html` value="${value}"`}>`;
}

export interface MessagePage {
  title: string;
  message: string;
  /** Target of the "Start again" link. */
  startAgain?: string | undefined;
  /** Lets an operator find the request in the log. */
  requestId: string;
}

/** An error page, for errors that cannot be sent to the application by a redirect. */
export const messagePage = ({ title, message, startAgain, requestId }: MessagePage, assets: Assets): string =>
  shell({
    title,
    assets,
    content: html`<h1>${title}</h1>
<p>${message}</p>
${startAgain && html`<p class="actions"><a class="button primary" href="${startAgain}">Start again</a></p>`}
<p class="quiet">Reference: ${requestId}</p>`,
  });
