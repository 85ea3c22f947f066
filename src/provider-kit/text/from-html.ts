import { BoundedParser } from "./bounded-parser.ts";
import { type HtmlOptions, HtmlReader } from "./html-reader.ts";
import { writeMarkdown } from "./write-markdown.ts";

/** Converts HTML to Markdown. Scripts, styles and unknown markup are dropped, and their text is kept if it is visible. */
export function htmlToMarkdown(html: string | null | undefined, options: HtmlOptions = {}): string | null {
  if (html === null || html === undefined || html.trim() === "") return null;
  const reader = new HtmlReader({ keepsLineEnds: html.startsWith("<body>"), ...options });
  const parser: BoundedParser = new BoundedParser(
    {
      onopentag(name, attributes) {
        parser.openElements++;
        reader.open(name, attributes);
      },
      onclosetag() {
        parser.openElements--;
        reader.close();
      },
      ontext: (text) => reader.text(text),
    },
    { recognizeSelfClosing: true },
  );
  parser.end(html);
  return writeMarkdown(reader.end());
}
