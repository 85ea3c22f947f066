import { type Html, html } from "../../../runtime/html.ts";

/** Paths in a square of 16 units. */
const paths: Record<string, string> = {
  overview: "M2.5 13.5v-5m3.7 5v-10m3.6 10v-7m3.7 7v-9",
  connections: "M5.5 2v3.5m5-3.5v3.5M3.5 5.5h9v2a4.5 4.5 0 0 1-9 0zM8 12v2.5",
  integrations: "M2.5 2.5h4v4h-4zm7 0h4v4h-4zm-7 7h4v4h-4zM11.5 9.2v4.6m-2.3-2.3h4.6",
  explorer: "M2 3h12v10H2zm2.5 3.2L6.5 8l-2 1.8M8 10.2h3.5",
  requests: "M2.5 4h11m-11 4h11m-11 4h7",
  events: "M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z",
  subscriptions: "M13.5 8A5.5 5.5 0 1 1 11.6 3.8M11.8 1.5v2.6H9.2",
  webhooks: "M13.8 2.2 7 9m6.8-6.8L9.6 13.8 7 9 2.2 6.4z",
  keys: "M8 8 13.5 2.5M11 5l2 2M5.8 13.2a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8z",
  "custom-fields": "M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6M9 9.5h3",
  "tool-packs": "M2.5 5.5h11v8h-11zM5.5 5.5v-2h5v2M2.5 9h4m3 0h4M6.5 8v2h3V8z",
  mcp: "M2.5 2.5h11v8h-6l-3 3v-3h-2zM5.5 6.5h.1m2.4 0h.1m2.4 0h.1",
  audit: "M3.5 1.8h6.7l2.3 2.4v10h-9zM5.8 6h4.4M5.8 8.7h4.4M5.8 11.4h2.4",
  settings: "M2 5h5.5m4 0H14M9.5 3.2v3.6M2 11h2.5m4 0H14M6.5 9.2v3.6",
  sandbox: "M5.8 2h4.4M6.5 2v4.3L3 13.8h10L9.5 6.3V2M5 10.3h6",
  guides: "M8 3.5C6.5 2.5 4.5 2.3 2.5 2.5v10c2-.2 4 0 5.5 1 1.5-1 3.5-1.2 5.5-1v-10c-2-.2-4 0-5.5 1zm0 0v10",
  reference: "M5.5 4 1.5 8l4 4m5-8 4 4-4 4",
};

/** Decoration: the text next to it says the same. */
export const icon = (name: string): Html =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${paths[name]}"/></svg>`;

export const logo = html`<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="currentColor"/><path d="M12 6.5v6M20 6.5v6M8.5 12.5h15v3.2a7.5 7.5 0 0 1-15 0zM16 23.2V27" class="prongs"/></svg>`;
