import { CODE, DEL, DocumentBuilder, defined, EM, STRONG, writeMarkdown } from "../../provider-kit/index.ts";

/** A piece of text. A mention or an equation has its words in `plain_text` too. */
export interface RichText {
  plain_text?: string;
  href?: string | null;
  annotations?: { bold?: boolean; italic?: boolean; strikethrough?: boolean; code?: boolean };
}

/** https://developers.notion.com/reference/rich-text */
export function richTextToMarkdown(pieces: readonly RichText[] | null | undefined): string | null {
  const document = new DocumentBuilder();
  for (const { plain_text: text = "", href, annotations = {} } of pieces ?? []) {
    const { bold, italic, strikethrough, code } = annotations;
    const marks = (bold ? STRONG : 0) | (italic ? EM : 0) | (strikethrough ? DEL : 0) | (code ? CODE : 0);
    document.add({ text: text.replace(/\r\n?/g, "\n"), marks, ...defined({ href: href || undefined }) });
  }
  return writeMarkdown(document.end());
}

/** Without formats, for titles. */
export const plainText = (pieces: readonly RichText[] | null | undefined): string =>
  pieces?.map(({ plain_text = "" }) => plain_text).join("") ?? "";
