import { CODE, DEL, EM, STRONG } from "./document.ts";

export type Attributes = Record<string, string>;

/** What elements do to the text in them. */
export const MARKS = new Map([
  ["b", STRONG],
  ["strong", STRONG],
  ["i", EM],
  ["em", EM],
  ["cite", EM],
  ["del", DEL],
  ["s", DEL],
  ["strike", DEL],
  ["code", CODE],
  ["kbd", CODE],
  ["samp", CODE],
  ["tt", CODE],
]);
export const HIDDEN = new Set([
  "head",
  "script",
  "style",
  "title",
  "template",
  "svg",
  "math",
  "object",
  "iframe",
  "noscript",
]);
export const INLINE = new Set(
  "a abbr acronym at b bdi bdo big button cite code customemoji data del dfn em emoji font i img input ins kbd label mark q ruby rp rt s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
/** Hints where a word may be broken, and byte order marks. */
export const INVISIBLE = /[\u00ad\u200b\ufeff]/g;
export const EMOJI_ONLY = /^(?:\p{Extended_Pictographic}|\p{Emoji_Component}){1,20}$/u;

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const NO_HEIGHT = /(?:^|[;\s])max-height\s*:\s*0(?![.\d])/i;

/** Whether an element is not shown, such as the preview text at the start of a mail. */
export const isHidden = ({ style = "", hidden }: Attributes): boolean =>
  hidden !== undefined || HIDING_STYLE.test(style) || (NO_HEIGHT.test(style) && /overflow\s*:\s*hidden/i.test(style));

/** Whether an image only counts readers. */
export const isPixel = ({ width, height }: Attributes): boolean =>
  [width, height].every((size) => size !== undefined && Number.parseInt(size, 10) <= 1);

/**
 * The ID of the user whom a link mentions; undefined if it is an ordinary link.
 * https://developers.asana.com/docs/rich-text, https://developer.monday.com/api-reference/reference/updates
 */
export const mentionedUser = (attributes: Attributes): string | undefined =>
  attributes["data-asana-type"] === "user"
    ? attributes["data-asana-gid"]
    : attributes["data-mention-type"] === "User"
      ? attributes["data-mention-id"]
      : undefined;

/** The number of a list's first item. Markdown has none below 0. */
export function firstNumber({ start = "" }: Attributes): number {
  const number = Number.parseInt(start, 10);
  return number >= 0 ? number : 1;
}

/** The language of a code block. Teams has it as the only class of a `<codeblock>`: `Csharp`. */
export function languageOf({ class: names = "", "data-language": language = "" }: Attributes, element = "pre"): string {
  if (element === "codeblock") return /^plain/i.test(names) ? "" : names.toLowerCase();
  return /(?:^|\s)(?:language|lang)-([\w+#.-]+)/.exec(names)?.[1] ?? language;
}
