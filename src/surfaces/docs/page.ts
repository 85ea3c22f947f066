import { type Html, html } from "../../runtime/html.ts";

export const HEADERS = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

/** The line at the top that leads from one part of the documentation to the others, and back to the dashboard. */
export const bar = (current: "guides" | "reference", dashboard: boolean): Html =>
  html`<nav class="bar" aria-label="Plugboard">${dashboard && html`<a href="/dashboard">Dashboard</a>`}<a href="/docs/guides"${current === "guides" && html` aria-current="true"`}>Guides</a><a href="/docs"${current === "reference" && html` aria-current="true"`}>API reference</a></nav>`;
