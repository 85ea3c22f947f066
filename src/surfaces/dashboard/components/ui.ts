// The parts that pages are made of.
import { type Html, html } from "../../../runtime/html.ts";
import { BASE } from "../base.ts";

export type Tone = "good" | "bad" | "warn" | "accent" | "";

export const tag = (text: string | number, tone: Tone = ""): Html => html`<span class="tag ${tone}">${text}</span>`;
export const dotTag = (text: string, tone: Tone): Html => html`<span class="tag dot ${tone}">${text}</span>`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function age(milliseconds: number): string {
  const past = Math.abs(milliseconds);
  const [size, unit] = past < HOUR ? [MINUTE, "min"] : past < 2 * DAY ? [HOUR, "h"] : [DAY, "days"];
  const text = past < MINUTE ? `${Math.floor(past / 1000)} s` : `${Math.floor(past / size)} ${unit}`;
  return milliseconds < 0 ? `in ${text}` : `${text} ago`;
}

/** How long ago, and the exact time as a tooltip. */
export const time = (iso: string | null): Html =>
  iso === null
    ? html`–`
    : html`<time class="nowrap" datetime="${iso}" title="${iso}">${age(Date.now() - Date.parse(iso))}</time>`;

/** The exact time, and how long ago that was. */
export const exactTime = (iso: string | null): Html =>
  iso === null
    ? html`–`
    : html`<time datetime="${iso}">${iso.replace("T", " ").replace(/\.\d+Z$/, " UTC")}</time> (${age(Date.now() - Date.parse(iso))})`;

export interface Head {
  title: string;
  /** What the page is for, in a sentence. */
  lead?: Html | string | false;
  /** Links to the pages above this one: path and text. */
  trail?: readonly (readonly [path: string, text: string])[];
  /** Buttons and links; those that are not for this role are false. */
  actions?: readonly (Html | false)[];
}

export const head = ({ title, lead, trail = [], actions = [] }: Head): Html => html`<div class="head"><div>
${trail.length > 0 && html`<p class="trail">${trail.map(([path, text]) => html`<a href="${BASE}${path}">${text}</a> / `)}</p>`}
<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
</div>
${actions.some(Boolean) && html`<div class="row">${actions}</div>`}
</div>`;

/** A part of a page. Nothing without content, such as a form that is not for this role. */
export const card = (title: string, content: Html | false | undefined, id?: string): Html | false =>
  Boolean(content) &&
  html`<section class="card"${id !== undefined && html` id="${id}"`}><div class="card-head"><h2>${title}</h2></div><div class="in">${content}</div></section>`;

export const empty = (title: string, ...content: (Html | string | false)[]): Html =>
  html`<div class="empty"><h2>${title}</h2>${content.map((part) => part && html`<div>${part}</div>`)}</div>`;

export interface TableColumn<Row> {
  label: string;
  cell(row: Row): Html | string | number | false;
  kind?: "number" | "wide-only" | "";
}

/**
 * A table that scrolls sideways where it does not fit; keyboards can scroll it as well. On phones each row is a card, and
 * the roles keep it a table for screen readers.
 */
export const table = <Row>(label: string, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table role="table">
<thead role="rowgroup"><tr role="row">${columns.map(({ label, kind = "" }) => html`<th role="columnheader" scope="col" class="${kind}">${label}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map(({ label, cell, kind = "" }) => html`<td role="cell" class="${kind}" data-label="${label}">${cell(row)}</td>`)}</tr>`)}</tbody>
</table></div>`;

/** Names and values. An entry without a value is left out. */
export const facts = (
  entries: readonly (readonly [string, Html | string | number | null | undefined | false])[],
): Html =>
  html`<dl class="facts">${entries.map(
    ([name, value]) =>
      value !== null && value !== undefined && value !== false && html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>`;

/** Text to copy elsewhere. The button needs a script, and is hidden without one. */
export const copyable = (id: string, label: string, text: string): Html => html`<div class="field">
<label for="${id}">${label}</label>
<div class="copy"><input id="${id}" class="code" readonly value="${text}"><button type="button" data-copy="${id}" hidden>Copy</button></div>
</div>`;

/** Code or data, with a button that copies it. */
export const codeBlock = (id: string, label: string, text: string, wrap = false): Html => html`<div class="stack">
<div class="row apart"><h3 id="${id}-label">${label}</h3><button type="button" class="small" data-copy="${id}" hidden>Copy</button></div>
<pre id="${id}" class="${wrap && "wrap"}" tabindex="0" role="region" aria-labelledby="${id}-label">${text}</pre>
</div>`;

/** Readable JSON, cut to a size that a browser shows without delay. */
export function prettyJson(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters` : text;
}
const MAX_SHOWN = 100_000;

export const statusTag = (status: number): Html => tag(status, status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

/** For screen readers: what the eye takes from the surroundings. */
export const hiddenText = (text: string): Html => html`<span class="hidden-text">${text}</span>`;

export const mono = (text: string): Html => html`<span class="mono">${text}</span>`;

/** Text in a table. Runs of more than 20 characters may break, so that they do not push other columns out of view. */
export const breakable = (text: string): Html =>
  html`${text.split(/(\S{20})(?=\S)/u).map((part, index) => (index % 2 === 1 ? html`${part}<wbr>` : part))}`;

/** Links to other pages of a list, and how much of it is shown. */
export const pager = (
  text: string,
  { first, next }: { first?: string | undefined; next?: string | undefined },
): Html | false =>
  Boolean(first || next) &&
  html`<nav class="pager" aria-label="Pages"><span class="quiet">${text}</span><span class="row">${first && html`<a class="button small" href="${BASE}${first}">First page</a>`}${next && html`<a class="button small" href="${BASE}${next}" rel="next">Next page</a>`}</span></nav>`;
