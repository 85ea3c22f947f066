// The parts that pages are made of.
import { type Html, html } from "../../runtime/html.ts";
import { BASE } from "./base.ts";

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

export interface Head {
  title: string;
  /** What the page is for, in a sentence. */
  lead?: Html | string | false;
  /** Links to the pages above this one: path and text. */
  trail?: readonly (readonly [path: string, text: string])[];
  /** Buttons and links. */
  actions?: Html | false;
}

export const head = ({ title, lead, trail = [], actions }: Head): Html => html`<div class="head"><div>
${trail.length > 0 && html`<p class="trail">${trail.map(([path, text]) => html`<a href="${BASE}${path}">${text}</a> / `)}</p>`}
<h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}
</div>
${actions && html`<div class="row">${actions}</div>`}
</div>`;

export const empty = (title: string, ...content: (Html | string | false)[]): Html =>
  html`<div class="empty"><h2>${title}</h2>${content.map((part) => part && html`<div>${part}</div>`)}</div>`;

export interface Column<Row> {
  label: string;
  cell(row: Row): Html | string | number;
  kind?: "number" | "wide-only" | "";
}

/** A table that scrolls sideways where it does not fit; keyboards can scroll it as well. */
export const table = <Row>(label: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${columns.map(({ label, kind = "" }) => html`<th scope="col" class="${kind}">${label}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map(({ cell, kind = "" }) => html`<td class="${kind}">${cell(row)}</td>`)}</tr>`)}</tbody>
</table></div>`;

export const statusTag = (status: number): Html => tag(status, status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

export const mono = (text: string): Html => html`<span class="mono">${text}</span>`;
