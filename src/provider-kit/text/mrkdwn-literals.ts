import { isWord } from "./characters.ts";

/** Stands before each sign that is text. Unicode reserves it for such uses inside a program. */
const LITERAL = "\uffff";
const RUN = /(\uffff?)(\*+|_+|~+|\x60+)/g;
const REFERENCE = /<[^<>\n]*>/g;

/** Text in which the signs of marks are no marks. */
export const literally = (text: string): string =>
  text.replaceAll(LITERAL, "").replace(/\*+|_+|~+|\x60+/g, `${LITERAL}$&`);

/**
 * Slack has no escapes, and formats also next to an invisible space. But it shows the text for readers that do not
 * know dates as it is. https://github.com/yhatt/jsx-slack/blob/main/docs/about-escape-and-exact-mode.md
 */
const shown = (signs: string) => `<!date^00000000^{_}|${signs}>`;
const SHOWN = /<!date\^00000000\^\{_\}\|([*_~\x60]+)>/g;

/** Without what only Slack understands. */
export const withoutLiterals = (mrkdwn: string): string => mrkdwn.replace(SHOWN, "$1");

/** An escape has 22 characters: those of a text must not become most of it. */
const MAX_ESCAPES = 500;

/** Escapes the signs that are text and would be read as marks: marks apply within a line. */
export function escapeLiterals(mrkdwn: string): string {
  if (!mrkdwn.includes(LITERAL)) return mrkdwn;
  const escapes = { left: MAX_ESCAPES };
  return mrkdwn
    .split("\n")
    .map((line) => escapeLine(line, escapes))
    .join("\n");
}

interface Run {
  signs: string;
  isLiteral: boolean;
  /** It needs no other: a fence, or the bullet of an item. */
  isAlone: boolean;
  index: number;
  end: number;
  canStart: boolean;
  canEnd: boolean;
}

function escapeLine(line: string, escapes: { left: number }): string {
  if (!line.includes(LITERAL)) return line;
  const runs = runsOf(line);
  const lastEnds = new Map<string, number>();
  for (const { signs, canEnd, index } of runs) if (canEnd) lastEnds.set(signs[0]!, index);
  const open = new Set<string>();
  let escaped = "";
  let position = 0;
  for (const { signs, isLiteral, isAlone, index, end, canStart, canEnd } of runs) {
    const sign = signs[0]!;
    const isMark = isAlone || (canStart && lastEnds.get(sign)! > index) || (canEnd && open.has(sign));
    const isEscaped = isLiteral && isMark && escapes.left > 0;
    if (isEscaped) escapes.left--;
    else if (canStart) open.add(sign);
    escaped += line.slice(position, index) + (isEscaped ? shown(signs) : signs);
    position = end;
  }
  return escaped + line.slice(position);
}

/** The signs of a line outside of links. Code may start and end anywhere, other marks at the edge of a word. */
function runsOf(line: string): Run[] {
  const masked = line.replace(REFERENCE, (reference) => ">".repeat(reference.length));
  return Array.from(masked.matchAll(RUN), ({ 0: whole, 1: literal, 2: signs, index }) => {
    const end = index + whole.length;
    const before = masked[index - 1] ?? " ";
    const after = masked[end] === LITERAL ? masked[end + 1]! : (masked[end] ?? " ");
    const isCode = signs![0] === "`";
    return {
      signs: signs!,
      isLiteral: literal !== "",
      isAlone:
        signs!.startsWith("```") || (signs === "*" && after.trim() === "" && /^[\s>]*$/.test(line.slice(0, index))),
      index,
      end,
      canStart: isCode || (!isWord(before) && after.trim() !== ""),
      canEnd: isCode || (before.trim() !== "" && !isWord(after)),
    };
  });
}
