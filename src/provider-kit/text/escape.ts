import { characterAt, characterBefore, countEnd, isSpace, isWord } from "./characters.ts";

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes what starts a tag or an entity. */
export const escapeEntities = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character]!);

/** Escapes text for HTML, also in an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** The characters around the escaped text. An empty string is the start or end of the paragraph. */
export interface Surroundings {
  before: string;
  after: string;
  /** Inside the label of a link, where brackets count and addresses are not linked. */
  inLabel?: boolean;
  /** In a paragraph with links, where some parsers find the end of a link for any bracket before it. */
  isNearLinks?: boolean;
}

const ADDRESS_START = /(?:https?|ftp):\/\/|www\./gi;
/** What no parser, or not every parser, accepts in an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters, among others.
const ADDRESS_END = /[\s<>\\`[\]\x00-\x1f\x7f]|&(?=[a-z\d#]+;)|$/gi;
/** What Markdown could read as markup inside an address, or as its end. */
const MARKUP_IN_ADDRESS = /[*_~]/g;
/** What Markdown does not count as the end of an address. */
const isTrailing = (character: string) => "?!.,:;*_~'\"(&".includes(character);
const MARKUP = /\\|\*+|_+|`|~+|[<&[\]!]/g;
const MAIL_ADDRESS = /<[^\s<>@]{1,100}@/y;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;

/**
 * Escapes what Markdown would read as markup inside a line, and nothing else, so that rendering gives back the text.
 * The starts of lines are escaped by `writeLines`.
 */
export function escapeText(text: string, around: Surroundings = { before: "", after: "" }): string {
  // Some parsers look for a link in the label of another without regard to escapes.
  if (around.inLabel) return escapeMarkup(text, around).replaceAll("\\](", "\\]\\(");
  if (text.search(ADDRESS_START) < 0) return escapeMarkup(text, around);
  let escaped = "";
  let position = 0;
  let before = around.before;
  let end = 0;
  let lastMarkup = -1;
  for (const { index, 0: start } of text.matchAll(ADDRESS_START)) {
    if (index < position) continue;
    if (index >= end) {
      end = addressEnd(text, index);
      lastMarkup = lastMarkupIn(text, index, end);
    }
    if (lastMarkup < index && isSpace(characterAt(text, end) || around.after)) continue;
    // Only an address with a protocol can stand between angle brackets. The other kind is not linked.
    const isWritable = start.endsWith("/");
    const found = text.slice(index, isWritable ? end : index + start.length);
    const address = isWritable ? found.slice(0, found.length - countTrailing(found)) : found;
    const written = isWritable ? `<${address}>` : `${start.slice(0, 3)}\\.`;
    escaped += escapeMarkup(text.slice(position, index), { ...around, before, after: written[0]! }) + written;
    position = index + address.length;
    before = characterBefore(written, written.length);
  }
  return escaped + escapeMarkup(text.slice(position), { ...around, before });
}

function addressEnd(text: string, start: number): number {
  ADDRESS_END.lastIndex = start;
  return ADDRESS_END.exec(text)!.index;
}

/** A bracket at the end belongs to an address in which it was opened. */
function countTrailing(address: string): number {
  let unopened = address.split(")").length - address.split("(").length;
  return countEnd(address, (character) => (character === ")" ? unopened-- > 0 : isTrailing(character)));
}

function lastMarkupIn(text: string, start: number, end: number): number {
  let last = -1;
  for (const { index } of text.slice(start, end).matchAll(MARKUP_IN_ADDRESS)) last = start + index;
  return last;
}

function escapeMarkup(text: string, { before, after, inLabel = false, isNearLinks = false }: Surroundings): string {
  return text.replace(MARKUP, (run, from: number) => {
    const end = from + run.length;
    const previous = characterBefore(text, from) || before;
    const next = characterAt(text, end) || after;
    const occurrence = { previous, next, isLast: end === text.length, inLabel, isNearLinks, text, from };
    return needsEscape(run, occurrence) ? run.replace(/./g, "\\$&") : run;
  });
}

interface Occurrence {
  previous: string;
  next: string;
  /** Whether markup may follow instead of text. */
  isLast: boolean;
  inLabel: boolean;
  isNearLinks: boolean;
  text: string;
  from: number;
}

function needsEscape(run: string, { previous, next, isLast, inLabel, isNearLinks, text, from }: Occurrence): boolean {
  if (isLast && !isSpace(next) && run !== "[") return run !== "!" || isNearLinks;
  switch (run[0]) {
    case "\\":
      return next === "" || next === "\n" || !(isWord(next) || isSpace(next));
    case "`":
      return true;
    case "*":
      return !isSpace(previous) || !isSpace(next);
    case "_":
      return !(isSpace(previous) && isSpace(next)) && !(isWord(previous) && isWord(next));
    case "~":
      // A single one can only end struck text after a character, so one before a number stays as it is.
      return run.length > 1 || !isSpace(previous);
    case "<":
      MAIL_ADDRESS.lastIndex = from;
      return /[a-z/!?]/i.test(next) || MAIL_ADDRESS.test(text);
    case "&":
      ENTITY.lastIndex = from;
      return ENTITY.test(text);
    case "!":
      return false;
    case "[":
      return inLabel || isNearLinks;
    default:
      return inLabel || next === "(" || next === "[" || next === ":";
  }
}

const LINE_START =
  /^([ \t]*)(?:(?:[-+*]|#{1,6})(?=[ \t]|$)|>|(\d{1,9})([.)])(?=[ \t]|$)|=+[ \t]*$|([*_])[ \t]*(?:\4[ \t]*)*$)/;
/** Under a line of text, such a line makes a heading or a table of it. */
const UNDERLINE = /^[ \t]*[|:-][-|: \t]*$/;

/**
 * Escapes what Markdown would read as a heading, list, quote, rule or table at the start of a line, and writes line ends
 * inside paragraphs with two spaces, which make them line breaks to every reader.
 */
export const writeLines = (text: string): string => breakLines(text.split("\n").map(escapeLineStart).join("\n"));

const BREAK = /(?<=\S)[ \t]*\n(?=[ \t]*(?!(?:[-+*]|#{1,6}|\d{1,9}[.)])[ \t]|>)(?:\S|$))/g;

/** Two spaces are invisible where the text is shown as it is. Items, headings and quotes have lines of their own anyway. */
export const breakLines = (markdown: string): string => markdown.replace(BREAK, "  \n");

function escapeLineStart(line: string): string {
  if (UNDERLINE.test(line)) return line.replace("-", "\\-");
  return line.replace(LINE_START, (found, indent: string, number?: string, point?: string) =>
    number === undefined ? `${indent}\\${found.slice(indent.length)}` : `${indent}${number}\\${point}`,
  );
}
