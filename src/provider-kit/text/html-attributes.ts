export type Attributes = Record<string, string>;

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
const NO_HEIGHT = /(?:^|[;\s])max-height\s*:\s*0(?![.\d])/i;

/** Whether an element is not shown, such as the preview text at the start of a mail. */
export const isHidden = ({ style = "", hidden }: Attributes): boolean =>
  hidden !== undefined || HIDING_STYLE.test(style) || (NO_HEIGHT.test(style) && /overflow\s*:\s*hidden/i.test(style));

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

/** The language of a code block. Teams has it as the only class of a `<codeblock>`: `Csharp`. */
export function languageOf({ class: names = "", "data-language": language = "" }: Attributes, element = "pre"): string {
  if (element === "codeblock") return /^plain/i.test(names) ? "" : names.toLowerCase();
  return /(?:^|\s)(?:language|lang)-([\w+#.-]+)/.exec(names)?.[1] ?? language;
}
