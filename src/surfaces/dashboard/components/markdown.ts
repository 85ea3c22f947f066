import { type Html, html } from "../../../runtime/html.ts";

/** The little Markdown that manifests and the table of operations use: bold and code. */
export const inlineMarkdown = (text: string): Html =>
  html`${text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith("**") && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.startsWith("`") && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    return part;
  })}`;
