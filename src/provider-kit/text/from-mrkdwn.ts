import { isWebAddress } from "./address.ts";
import type { Span } from "./document.ts";
import { replaceNames } from "./emoji.ts";
import { chatMarkupToMarkdown } from "./from-chat-markup.ts";

export interface MrkdwnOptions {
  /** The name of a user whose id is mentioned. */
  userName?(id: string): string | undefined;
  /** The name of a channel whose id is mentioned. */
  channelName?(id: string): string | undefined;
}

const entities = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
]);

/** Slack escapes these three and no others. */
const decode = (text: string) => text.replace(/&(?:amp|lt|gt);/g, (entity) => entities.get(entity)!);

/** Converts Slack's markup. https://docs.slack.dev/messaging/formatting-message-text */
export function mrkdwnToMarkdown(text: string | null | undefined, options: MrkdwnOptions = {}): string | null {
  return chatMarkupToMarkdown(text, { decode, reference: (content) => readReference(content, options) });
}

const plain = (text: string): Span => ({ text, marks: 0 });

function readReference(content: string, { userName, channelName }: MrkdwnOptions): Span | undefined {
  const bar = content.indexOf("|");
  const target = decode(bar < 0 ? content : content.slice(0, bar));
  const label = bar < 0 ? "" : replaceNames(decode(content.slice(bar + 1)));
  const id = target.slice(1);
  switch (target[0]) {
    case "@":
      return plain(withSign("@", label || userName?.(id) || id));
    case "#":
      return plain(withSign("#", label || channelName?.(id) || id));
    case "!":
      return plain(readCommand(id, label));
    default:
      // Of other addresses, such as phone numbers, the label is shown.
      if (!isWebAddress(target)) return /^[a-z][a-z\d+.-]*:/i.test(target) && label ? plain(label) : undefined;
      return { text: label || target.replace(/^mailto:/, ""), marks: 0, href: target };
  }
}

const withSign = (sign: string, name: string) => (name.startsWith(sign) ? name : sign + name);

/** `here`, `channel` and `everyone`, a group of users, or a date with a text for readers that cannot format it. */
function readCommand(command: string, label: string): string {
  const [kind = "", value = ""] = command.split("^");
  if (kind === "date") return label || isoDate(value);
  if (kind === "subteam") return withSign("@", label || value);
  return withSign("@", label || kind);
}

function isoDate(seconds: string): string {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? seconds : date.toISOString();
}
