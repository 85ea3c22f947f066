import fc from "fast-check";
import { replaceEmojiNames } from "../../src/provider-kit/text/emoji.ts";
import { adfToMarkdown } from "../../src/provider-kit/text/from-adf.ts";
import { googleChatToMarkdown } from "../../src/provider-kit/text/from-google-chat.ts";
import { htmlToMarkdown } from "../../src/provider-kit/text/from-html.ts";
import { mrkdwnToMarkdown } from "../../src/provider-kit/text/from-mrkdwn.ts";
import { taggedMarkdownToMarkdown } from "../../src/provider-kit/text/from-tagged-markdown.ts";
import { plainToMarkdown } from "../../src/provider-kit/text/plain.ts";
import { markdownToAdf } from "../../src/provider-kit/text/to-adf.ts";
import { markdownToBodyHtml } from "../../src/provider-kit/text/to-body-html.ts";
import { markdownToHtml } from "../../src/provider-kit/text/to-html.ts";
import { markdownToMrkdwn } from "../../src/provider-kit/text/to-mrkdwn.ts";
import { markdownToPlain } from "../../src/provider-kit/text/to-plain.ts";
import { type CommentPiece, commentToMarkdown } from "../../src/providers/clickup/comment-text.ts";
import { markdownToComment } from "../../src/providers/clickup/to-comment.ts";
import { type RichText, richTextToMarkdown } from "../../src/providers/notion/rich-text.ts";
import { markdownToRichText } from "../../src/providers/notion/to-rich-text.ts";

/** An input of about so many characters. */
export type Input<Source> = (length: number) => Source;

export interface Converter {
  convert(source: unknown): unknown;
  /** Inputs that were a problem once, or could be. */
  known: Record<string, Input<unknown>>;
  generated: fc.Arbitrary<Input<unknown>>;
  /** What others are compared with. */
  ordinary: Input<unknown>;
}

const repeated = (unit: string) => (length: number) => unit.repeat(Math.ceil(length / unit.length));

/** One half of the text, and then the other: the header of a table and its rows, an address and what it links. */
const halves =
  (first: Input<string>, second: Input<string>): Input<string> =>
  (length) =>
    first(length / 2) + second(length / 2);

/** Some of the parts, once, a few times or for half of the text; then others for the rest of it. */
const textOf = (parts: readonly string[]): fc.Arbitrary<Input<string>> => {
  const unit = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((chosen) => chosen.join(""));
  return fc
    .tuple(unit, fc.constantFrom(0, 1, 12, 40, Number.POSITIVE_INFINITY), unit)
    .map(([start, count, rest]) =>
      halves((half) => start.repeat(Math.min(count, Math.ceil(half / start.length))), repeated(rest)),
    );
};

const signs = ["*", "**", "_", "~", "~~", "`", "```", "[", "]", "](", "(", ")", "<", ">", "!", "\\", "|", ":", "&amp;"];
const words = ["a", " ", ".", "\n", "\n\n", "    ", "http://b.c/", "www.", "a@b.c", ":+1:"];
const lineStarts = ["> ", "- ", "1. ", "999999999. ", "# ", "---\n", "- [ ] "];

const markdownParts = [...signs, ...words, ...lineStarts, "|a", "|-", "|\n", "[a]: http://b.c/", "[a]", "<b>", "_a_ "];
const chatParts = [...signs, ...words, ...lineStarts, "• ", "&gt; ", ">>>", "<http://a|", "<@U1>", "b>", "<users/1>"];
const tags =
  "b i s code a p br table tr td ul li blockquote pre h1 at div hr img /b /i /a /p /td /table /ul /pre /blockquote";
const htmlParts = [
  ...words,
  ..."*_~`|[<&".split(""),
  "&amp;",
  '<a href="http://b.c/',
  '">',
  "<ol start=999999999>",
  "<img src=http://b.c alt=a>",
  ...tags.split(" ").map((tag) => `<${tag}>`),
];

const knownTexts: Record<string, Input<string>> = {
  "opening angle brackets": repeated("<"),
  asterisks: repeated("*"),
  "opening brackets": repeated("["),
  colons: repeated(":"),
  backticks: repeated("`"),
  "exclamation marks": repeated("!"),
  letters: repeated("a"),
  "line ends": repeated("\n"),
  "open marks": repeated("*a _b ~c "),
  "a mark on each line": repeated("\n_a_"),
  "links without an end": repeated("[a](<"),
  "mentions without an end": repeated("<@U1|"),
  "emoji names": repeated(":+1::a"),
  entities: repeated("&amp;&#x"),
  addresses: repeated("www.https://"),
  "a wide gap": (length) => `a${" ".repeat(length)}*b`,
};

const knownMarkdown: Record<string, Input<string>> = {
  ...knownTexts,
  "nested quotes": repeated("> "),
  "nested items": repeated("- > 1. "),
  "short lines in nested quotes": (length) => `${"> ".repeat(28)}${repeated("a\n")(length)}`,
  "short lines in nested items": (length) => `${"999999999. ".repeat(12)}${repeated("a\n")(length)}`,
  "quotes that end level by level": repeated(
    Array.from({ length: 26 }, (_, index) => `${"> ".repeat(25 - index)}a\n`).join(""),
  ),
  "lines of a list": (length) => `- ${repeated("a\n")(length)}`,
  "underlined lines": repeated("a\n-\n"),
  "rows of a table": repeated("|a|b|\n|-|-|\n"),
  "a wide table with short rows": (length) =>
    `${"|a".repeat(length / 8)}\n${"|-".repeat(length / 8)}\n${repeated("|\n")(length / 2)}`,
  "small tables with short rows": repeated(`${"|a".repeat(30)}\n${"|-".repeat(30)}\n${"|\n".repeat(30)}\n`),
  "a table with one long cell": halves((half) => `|a|b|\n|-|-|\n|${"word ".repeat(half / 5)}|\n`, repeated("|c|d|\n")),
  tasks: repeated("- [ ] a\n"),
  "references to a long address": halves((half) => `[a]: http://b.c/${"x".repeat(half)}\n\n`, repeated("[a] ")),
  "a long address of many lines": halves(
    (half) => `[${"a\n".repeat(half / 2)}`,
    (half) => `](http://b/${"x".repeat(half)})`,
  ),
  "links in links": halves(repeated("["), repeated("](http://b.c)")),
  "lines that are indented further and further": (length) =>
    Array.from({ length: Math.sqrt(length * 2) }, (_, index) => `${" ".repeat(index)}- a`).join("\n"),
};

const knownHtml: Record<string, Input<string>> = {
  ...knownTexts,
  "nested elements": repeated("<div>"),
  "nested lists": repeated("<ul><li>"),
  "nested tables": repeated("<table><tr><td>"),
  "nested mentions": (length) => `${"<at>".repeat(200)}${repeated("a<br>")(length)}`,
  "unclosed tags": repeated("<a href='"),
  "end tags": repeated("<b></i>"),
  "small bold words": repeated("<b>a</b> "),
  "a wide table with empty rows": halves((half) => `<table><tr>${repeated("<td>a")(half)}`, repeated("<tr>")),
  "cells over many columns": (length) => `<table>${repeated("<tr><td colspan=100>")(length)}`,
  "a cell over many columns and rows": (length) =>
    `<table><tr><td colspan=100 rowspan=1000>${repeated("<tr><td>")(length)}`,
  "short lines in nested quotes": (length) => `${"<blockquote>".repeat(20)}${repeated("a<br>")(length)}`,
  "short lines in nested items": (length) => `${"<ol start=999999999><li>".repeat(20)}${repeated("a<br>")(length)}`,
  "a long address of many paragraphs": halves((half) => `<a href="http://b.c/${"x".repeat(half)}">`, repeated("<p>a")),
};

const copies = <Part>(parts: readonly Part[], length: number): Part[] =>
  Array.from({ length: Math.ceil(length / JSON.stringify(parts).length) }, () => parts).flat();
const units = <Part>(parts: readonly Part[]) => fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 });

type Node = Record<string, unknown>;
const node = (type: string, ...content: Node[]): Node => ({ type, content });
const text = (value: string, ...marks: Node[]): Node => ({ type: "text", text: value, marks });
const linked = (length: number): Node => ({ type: "link", attrs: { href: `http://b.c/${"x".repeat(length)}` } });
const adfNodes: Node[] = [
  text("a"),
  text("a\n\n", linked(10)),
  text("b", { type: "strong" }, { type: "em" }),
  text("*c_", { type: "strike" }),
  text("d", { type: "code" }),
  node("hardBreak"),
  node("paragraph", text("a")),
  node("heading", text("a")),
  node("codeBlock", text("\n\n")),
  node("tableRow", node("tableCell", text("a")), node("tableHeader", text("b"))),
  node("tableRow"),
  node("listItem", node("paragraph", text("a"))),
  { type: "taskItem", attrs: { state: "DONE" } },
  { type: "mention", attrs: { text: "a" } },
  { type: "media", attrs: { url: "http://b.c", alt: "a" } },
];
/** Around the other nodes, as often as it is deep. */
const adfOf = (around: readonly string[], depth: number, content: Node[]): Node =>
  Array.from({ length: depth }).reduce<Node>(
    (inner, _, index) => node(around[index % around.length]!, inner),
    node("table", ...content),
  );

const richTexts: RichText[] = [
  { plain_text: "a" },
  { plain_text: "b\n", annotations: { bold: true } },
  { plain_text: ".", annotations: { italic: true, strikethrough: true } },
  { plain_text: "c\n\n", annotations: { code: true } },
  { plain_text: "*d_ ", annotations: { bold: true, italic: true }, href: "http://b.c" },
];
const commentPieces: CommentPiece[] = [
  { text: "a" },
  { text: "b", attributes: { bold: true, italic: true } },
  { text: "*c_\n", attributes: { link: "http://b.c", code: true } },
  { text: "\n", attributes: { list: { list: "bullet" } } },
  { text: "\n", attributes: { blockquote: {} } },
  { text: "\n\n", attributes: { "code-block": {} } },
  { text: "\n", attributes: { header: 1 } },
];

const ofText = (
  convert: (source: string) => unknown,
  known: Record<string, Input<string>>,
  parts: string[],
  ordinary: string,
): Converter => ({
  convert: convert as Converter["convert"],
  known,
  generated: textOf(parts),
  ordinary: repeated(ordinary),
});
const markdown = "Some **bold** text with a [link](https://a.example/b) and `code`.\n\n- an _item_\n- another\n\n";
const chatMarkup = "Some *bold* text with a <https://a.example/b|link> and `code`.\n\n• an _item_\n• another\n\n";
const html =
  'Some <b>bold</b> text with a <a href="https://a.example/b">link</a>.<ul><li>an <i>item</i><li>another</ul>';
const toFormat = (convert: (markdown: string) => unknown) => ofText(convert, knownMarkdown, markdownParts, markdown);
const fromMarkdown = (convert: (text: string) => unknown, ...parts: string[]) =>
  ofText(convert, knownTexts, [...markdownParts, ...parts], markdown);

/** Every converter there is. */
export const converters: Record<string, Converter> = {
  markdownToAdf: toFormat(markdownToAdf),
  markdownToBodyHtml: toFormat(markdownToBodyHtml),
  markdownToComment: toFormat(markdownToComment),
  markdownToHtml: toFormat(markdownToHtml),
  markdownToMrkdwn: toFormat(markdownToMrkdwn),
  markdownToPlain: toFormat(markdownToPlain),
  markdownToRichText: toFormat(markdownToRichText),
  htmlToMarkdown: ofText(htmlToMarkdown, knownHtml, htmlParts, html),
  mrkdwnToMarkdown: ofText(mrkdwnToMarkdown, knownMarkdown, chatParts, chatMarkup),
  googleChatToMarkdown: ofText((text) => googleChatToMarkdown(text), knownTexts, chatParts, chatMarkup),
  "googleChatToMarkdown of Markdown": fromMarkdown((text) => googleChatToMarkdown(text, { syntax: "markdown" })),
  taggedMarkdownToMarkdown: fromMarkdown(taggedMarkdownToMarkdown, "<@1>", "<t:1>", "||", "-# "),
  plainToMarkdown: ofText(plainToMarkdown, knownMarkdown, markdownParts, markdown),
  replaceEmojiNames: fromMarkdown(replaceEmojiNames),
  adfToMarkdown: {
    convert: adfToMarkdown,
    known: {
      "a wide table with empty rows": (length) =>
        node(
          "table",
          node("tableRow", ...copies([node("tableCell")], length / 2)),
          ...copies([node("tableRow")], length / 2),
        ),
      "cells over many columns": (length) =>
        node("table", ...copies([node("tableRow", { ...node("tableCell"), attrs: { colspan: 100 } })], length)),
      "short lines in nested quotes": (length) => adfOf(["blockquote"], 20, [text("a\n".repeat(length / 2))]),
      "a long address of many paragraphs": (length) => text("a\n\n".repeat(length / 6), linked(length / 2)),
    },
    generated: fc
      .tuple(
        units(["blockquote", "bulletList", "listItem", "orderedList", "tableRow", "tableCell"]),
        fc.nat(40),
        units(adfNodes),
      )
      .map(
        ([around, depth, unit]) =>
          (length) =>
            adfOf(around, depth, copies(unit, length)),
      ),
    ordinary: (length) => node("doc", ...copies([node("paragraph", ...adfNodes.slice(0, 5))], length)),
  },
  richTextToMarkdown: {
    convert: (pieces) => richTextToMarkdown(pieces as RichText[]),
    known: {
      "a long address of many paragraphs": (length) => [
        { plain_text: "a\n\n".repeat(length / 6), href: `http://b.c/${"x".repeat(length / 2)}` },
      ],
    },
    generated: units(richTexts).map((unit) => (length) => copies(unit, length)),
    ordinary: (length) => copies(richTexts, length),
  },
  commentToMarkdown: {
    convert: (pieces) => commentToMarkdown(pieces as CommentPiece[]),
    known: {
      "a long address of many lines": (length) => [
        { text: "a\n".repeat(length / 4), attributes: { link: `http://b.c/${"x".repeat(length / 2)}` } },
      ],
    },
    generated: units(commentPieces).map((unit) => (length) => copies(unit, length)),
    ordinary: (length) => copies(commentPieces, length),
  },
};
