import { type Html, html } from "../../../runtime/html.ts";

const LINK = /^\[([^\]]+)\]\((https:\/\/[^)\s]+)\)$/;

/** The little Markdown that manifests and the table of operations use: bold, code and links. */
export const inlineMarkdown = (text: string): Html =>
  html`${text.split(/(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    const [, label, address] = LINK.exec(part) ?? [];
    if (address) return html`<a href="${address}" rel="noopener noreferrer" target="_blank">${label}</a>`;
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    return part;
  })}`;
