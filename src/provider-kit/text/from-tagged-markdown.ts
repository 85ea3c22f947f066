import { breakLines, escapeText } from "./escape.ts";
import { outsideCode } from "./outside-code.ts";
import { toText } from "./plain.ts";

export interface TaggedMarkdownOptions {
  /** The name of a mentioned user, role or channel by its id. A message lists the users in `mentions`. */
  mentions?(id: string): string | undefined;
}

const REFERENCE =
  /\\[^\n]|<@[!&]?(\d{1,20})>|<#(\d{1,20})>|<a?:(\w{1,64}):\d{1,20}>|<t:(-?\d{1,15})(?::[a-z])?>|<\/([^:<>\n]{1,100}):\d{1,20}>|<(?!https?:)(?=[a-z/!?])/gi;
const SMALL_PRINT = /^-# /gm;
const SPOILER_MARK = /\\[^\n]|https?:\/\/[^\s<]+|\|\|/gi;
const QUOTE = / {0,3}> /y;
/** What only Markdown reads as a quote. */
const NO_QUOTE = /(?<=^ {0,3})>(?! |>> )/gm;

/** Discord's text is Markdown except for its mentions, emoji, dates and spoilers; HTML in it is text. */
export function taggedMarkdownToMarkdown(
  text: string | null | undefined,
  { mentions }: TaggedMarkdownOptions = {},
): string | null {
  if (text === null || text === undefined) return null;
  const nameOf = (id: string) => escapeText(mentions?.(id) ?? id);
  return toText(
    outsideCode(endQuotes(withoutSpoilerMarks(text.replace(/\r\n?/g, "\n"))), (part) =>
      breakLines(part.replace(SMALL_PRINT, "").replace(NO_QUOTE, "\\>")).replace(
        REFERENCE,
        (found, mentioned, channel, emoji, time, command) => {
          if (mentioned) return `@${nameOf(mentioned)}`;
          if (channel) return `#${nameOf(channel)}`;
          if (emoji) return `:${emoji}:`;
          if (time) return isoDate(time, found);
          if (command) return `/${command}`;
          return found === "<" ? "\\<" : found;
        },
      ),
    ),
  );
}

/** Discord hides what is between two marks. A mark alone is text, and so is one in an address that is not hidden. */
function withoutSpoilerMarks(text: string): string {
  if (!text.includes("||")) return text;
  let isOpen = false;
  return outsideCode(text, (part, position) =>
    part.replace(SPOILER_MARK, (found, index: number) => {
      const isMark = isOpen ? found.includes("||") : found === "||" && text.includes("||", position + index + 3);
      if (!isMark) return found;
      isOpen = !isOpen;
      return found.replace("||", "");
    }),
  );
}

/** Discord ends a quote with its line, Markdown with its paragraph. */
function endQuotes(text: string): string {
  const isQuote = (start: number) => {
    QUOTE.lastIndex = start;
    return QUOTE.test(text);
  };
  return outsideCode(text, (part, position) =>
    part.replace(/\n(?!\n)/g, (_, index: number) => {
      const end = position + index;
      return isQuote(text.lastIndexOf("\n", end - 1) + 1) && !isQuote(end + 1) ? "\n\n" : "\n";
    }),
  );
}

function isoDate(seconds: string, otherwise: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? otherwise : date.toISOString();
}
