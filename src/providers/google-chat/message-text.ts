import { googleChatToMarkdown, plainToMarkdown } from "../../provider-kit/index.ts";

interface Annotation {
  /** Missing if it is zero. */
  startIndex?: number;
  length?: number;
  userMention?: { user?: { name?: string; displayName?: string } };
}

/** What a message says, as far as it is read. */
export interface MessageContent {
  /** Without any markup, and with the names of those who are mentioned. */
  text?: string;
  /** With markup, and with the ids of those who are mentioned. */
  formattedText?: string;
  annotations?: Annotation[];
  /** What cards say, for clients that cannot show them. */
  fallbackText?: string;
  cardsV2?: { card?: { header?: { title?: string; subtitle?: string } } }[];
}

/** It is written again for each mention. */
const MAX_NAME = 200;

/** With a user's token, the name of a mentioned user is only in the text: `@Ada Lovelace`. */
function mentionedNames({ text = "", annotations = [] }: MessageContent): Map<string, string> {
  const names = new Map<string, string>();
  for (const { startIndex = 0, length = 0, userMention } of annotations) {
    const { name, displayName } = userMention?.user ?? {};
    const written = text.slice(startIndex, startIndex + length);
    const found = displayName || (written.startsWith("@") ? written.slice(1) : "");
    if (name && found && found.length <= MAX_NAME) names.set(name.replace(/^users\//, ""), found);
  }
  return names;
}

const cardText = ({ fallbackText, cardsV2 = [] }: MessageContent): string =>
  fallbackText ||
  cardsV2
    .flatMap(({ card }) => [card?.header?.title, card?.header?.subtitle])
    .filter(Boolean)
    .join("\n\n");

/** The words of a message. Those of an app are often in a card only. */
export function textOf(message: MessageContent): string | null {
  const names = mentionedNames(message);
  return (
    googleChatToMarkdown(message.formattedText, { userName: (id) => names.get(id), syntax: "markdown" }) ??
    plainToMarkdown(message.text) ??
    plainToMarkdown(cardText(message))
  );
}
