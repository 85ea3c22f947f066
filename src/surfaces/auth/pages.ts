import { type Html, html, toText } from "../../runtime/html.ts";

export interface Field {
  /** Its name in the form, and its id on the page. */
  name: string;
  label: string;
  hint?: Html | string | undefined;
  placeholder?: string | undefined;
  /** Never shown, and never sent back to the page. */
  secret?: boolean;
  value?: string | undefined;
  problem?: string | undefined;
}

export interface ConnectPage {
  provider: string;
  /** Whose page this is part of. */
  application: string;
  reconnects: boolean;
  /** With OAuth the user goes on to the provider. */
  consent: boolean;
  scopes: readonly string[];
  fields: readonly Field[];
  /** What is wrong beside the fields. */
  problem?: string | undefined;
  returnsTo: string;
  ticket: string;
}

interface Shell {
  title: string;
  styleUrl: string;
  content: Html;
  footer?: Html;
}

const shell = ({ title, styleUrl, content, footer }: Shell): string =>
  toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${styleUrl}">
</head>
<body>
<main>
${content}
</main>
${footer && html`<footer>${footer}</footer>`}
</body>
</html>
`);

/** Hands the user over to the provider, or asks for what the provider does not. */
export function connectPage(page: ConnectPage, styleUrl: string): string {
  const { provider, application, fields, problem, consent, ticket } = page;
  const wrong = fields.filter((field) => field.problem !== undefined);
  const isWrong = wrong.length > 0 || problem !== undefined;
  const title = `${page.reconnects ? "Reconnect" : "Connect"} ${provider}`;
  return shell({
    title: isWrong ? `Error: ${title}` : title,
    styleUrl,
    content: html`<h1>${title}</h1>
<p><strong>${application}</strong> wants to connect your ${provider} account.</p>
${isWrong && problemSummary(wrong, problem)}
${consent && html`<p>You will go on to ${provider}, where you sign in and agree. Your password stays there.</p>`}
${consent && page.scopes.length > 0 && scopeList(page.scopes)}
<form method="post">
<input type="hidden" name="ticket" value="${ticket}">
${fields.map((field, index) => fieldMarkup(field, isWrong ? field === (wrong[0] ?? fields[0]) : index === 0))}
<div class="actions">
<button class="primary" name="decision" value="continue">${consent ? `Continue to ${provider}` : "Connect"}</button>
<button name="decision" value="cancel" formnovalidate>Cancel</button>
</div>
</form>`,
    footer: html`Either way you return to ${page.returnsTo}. The access that you give is kept encrypted by Plugboard.`,
  });
}

const problemSummary = (wrong: readonly Field[], problem: string | undefined): Html => html`
<div class="problems" role="alert">
<h2>That did not work</h2>
<ul>
${problem !== undefined && html`<li>${problem}</li>`}
${wrong.map((field) => html`<li><a href="#${field.name}">${field.label}: ${field.problem}</a></li>`)}
</ul>
</div>`;

const scopeList = (scopes: readonly string[]): Html => html`
<details>
<summary>What access is asked for</summary>
<ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>
</details>`;

function fieldMarkup({ name, label, hint, placeholder, secret, value, problem }: Field, focused: boolean): Html {
  const described = [hint && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean).join(" ");
  return html`
<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${secret ? "password" : "text"}" required autocomplete="off" autocapitalize="off" spellcheck="false"
${placeholder && html` placeholder="${placeholder}"`}
${!secret && value && html` value="${value}"`}
${described && html` aria-describedby="${described}"`}
${problem !== undefined && html` aria-invalid="true"`}
${focused && html` autofocus`}>
${problem !== undefined && html`<p class="wrong" id="${name}-problem">${problem}</p>`}
</div>`;
}

export interface MessagePage {
  title: string;
  message: string;
  /** Where to begin anew. */
  startAgain?: string | undefined;
  /** By which an operator finds it in the log. */
  requestId: string;
}

/** Says what went wrong where no redirect can be trusted, or none is known. */
export const messagePage = ({ title, message, startAgain, requestId }: MessagePage, styleUrl: string): string =>
  shell({
    title,
    styleUrl,
    content: html`<h1>${title}</h1>
<p>${message}</p>
${startAgain && html`<p class="actions"><a class="button primary" href="${startAgain}">Start again</a></p>`}
<p class="quiet">Reference: ${requestId}</p>`,
  });
