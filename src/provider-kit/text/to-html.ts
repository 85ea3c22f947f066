import { Marked } from "marked";
import { isWebAddress } from "./address.ts";
import { escapeHtml } from "./escape.ts";
import { htmlText, parseMarkdown } from "./parse-markdown.ts";

const anchor = (href: string, label: string) =>
  isWebAddress(href) ? `<a href="${escapeHtml(href)}">${label}</a>` : label;

const safeHtml = new Marked({
  renderer: {
    html: ({ text }) => escapeHtml(htmlText(text)).replace(/^\n$/, "<br>"),
    link({ href, tokens }) {
      return anchor(href, this.parser.parseInline(tokens));
    },
    // Loading an image would tell its server who reads the message, so it becomes a link.
    image: ({ href, text }) => anchor(href, escapeHtml(text || href)),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/** Converts Markdown to safe HTML: HTML in it becomes text, and only web and mail links stay links. */
export function markdownToHtml(markdown: string | null | undefined): string | null {
  if (markdown === null || markdown === undefined) return null;
  return safeHtml.parser(parseMarkdown(markdown)) || null;
}
