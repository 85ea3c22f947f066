import { isWebAddress } from "./address.ts";
import type { Span } from "./document.ts";
import { chatMarkupToMarkdown } from "./from-chat-markup.ts";
import { outsideCode } from "./outside-code.ts";
import { toText } from "./plain.ts";

export interface GoogleChatOptions {
  /** The name of a user whose id, without `users/`, is mentioned. */
  userName?(id: string): string | undefined;
  /** What `formattedText` was requested as: Google's own markup unless `markupSyntax` asks for Markdown. */
  syntax?: "chat" | "markdown";
}

const MENTION = /<users\/([\w.@-]+)>/g;

/** Converts the `formattedText` of a message. https://developers.google.com/workspace/chat/format-messages */
export function googleChatToMarkdown(
  text: string | null | undefined,
  { userName, syntax = "chat" }: GoogleChatOptions = {},
): string | null {
  const nameOf = (id: string) => `@${userName?.(id) ?? id}`;
  if (syntax === "markdown") {
    return toText(text && outsideCode(text, (part) => part.replace(MENTION, (_, id) => nameOf(id))));
  }
  return chatMarkupToMarkdown(text, { decode: (part) => part, reference: (content) => readReference(content, nameOf) });
}

function readReference(content: string, nameOf: (id: string) => string): Span | undefined {
  if (content.startsWith("users/")) return { text: nameOf(content.slice("users/".length)), marks: 0 };
  const bar = content.indexOf("|");
  const address = bar < 0 ? content : content.slice(0, bar);
  if (!isWebAddress(address)) return undefined;
  return { text: (bar < 0 ? "" : content.slice(bar + 1)) || address, marks: 0, href: address };
}
