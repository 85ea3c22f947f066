import { breakLines, escapeText } from "./escape.ts";
import { outsideCode } from "./outside-code.ts";
import { toText } from "./plain.ts";

export interface TaggedMarkdownOptions {
  /** The name of a mentioned user, role or channel by its id. A message lists the users in `mentions`. */
  mentions?(id: string): string | undefined;
}

const REFERENCE =
  /\\[^\n]|<@[!&]?(\d{1,20})>|<#(\d{1,20})>|<a?:(\w{1,64}):\d{1,20}>|<t:(-?\d{1,15})(?::[a-z])?>|<\/([^:<>\n]{1,100}):\d{1,20}>|<(?!https?:)(?=[a-z/!?])|\|\|/gi;
const SMALL_PRINT = /^-# /gm;

/** Discord's text is Markdown except for its mentions, emoji, dates and spoilers; HTML in it is text. */
export function taggedMarkdownToMarkdown(
  text: string | null | undefined,
  { mentions }: TaggedMarkdownOptions = {},
): string | null {
  if (text === null || text === undefined) return null;
  const nameOf = (id: string) => escapeText(mentions?.(id) ?? id);
  return toText(
    outsideCode(text.replace(/\r\n?/g, "\n"), (part) =>
      breakLines(part.replace(SMALL_PRINT, "")).replace(
        REFERENCE,
        (found, mentioned, channel, emoji, time, command) => {
          if (mentioned) return `@${nameOf(mentioned)}`;
          if (channel) return `#${nameOf(channel)}`;
          if (emoji) return `:${emoji}:`;
          if (time) return isoDate(time, found);
          if (command) return `/${command}`;
          if (found === "||") return "";
          return found === "<" ? "\\<" : found;
        },
      ),
    ),
  );
}

function isoDate(seconds: string, otherwise: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? otherwise : date.toISOString();
}
