import { isWebAddress } from "./address.ts";
import { characterAt, characterBefore, countEnd, countStart, isEdge, isSpace } from "./characters.ts";
import { CODE, DEL, EM, type Span, STRONG } from "./document.ts";
import { escapeText, type Surroundings } from "./escape.ts";

const MARKS = [STRONG, EM, DEL];
/** A paragraph of more parts is plain text, as it is in the other direction. */
const MAX_SPANS = 1000;
/** What the spans of a group have in common if it is not a mark. */
const NOTHING = 0;
const LINK = -1;

interface Context extends Surroundings {
  /** The marks around these spans. */
  open: number;
  inLabel: boolean;
}

/** Writes the text of a paragraph. The starts of its lines are not escaped yet. */
export function writeSpans(spans: readonly Span[]): string {
  if (spans.length > MAX_SPANS) return writeSpans([{ text: spans.map(({ text }) => text).join(""), marks: 0 }]);
  return writeRun(spans, {
    open: 0,
    before: "",
    after: "",
    inLabel: false,
    isNearLinks: spans.some(({ href, image }) => href !== undefined || image !== undefined),
  });
}

function writeRun(spans: readonly Span[], context: Context): string {
  const pieces: string[] = [];
  let before = context.before;
  let index = 0;
  while (index < spans.length) {
    const { end, common } = longestGroup(spans, index, context);
    const after = end < spans.length ? firstCharacter(spans[end]!) : context.after;
    const piece = writeGroup(spans.slice(index, end), common, { ...context, before, after });
    if (piece !== "") before = characterBefore(piece, piece.length);
    pieces.push(piece);
    index = end;
  }
  return pieces.join("");
}

/** The longest run from a span on with a common mark or link. */
function longestGroup(spans: readonly Span[], index: number, { open, inLabel }: Context) {
  const span = spans[index]!;
  let longest = { end: index + 1, common: NOTHING };
  const extend = (common: number, belongs: (other: Span) => boolean) => {
    let end = index + 1;
    while (end < spans.length && belongs(spans[end]!)) end++;
    if (end > longest.end || longest.common === NOTHING) longest = { end, common };
  };
  for (const mark of MARKS) {
    if (span.marks & mark && !(open & mark)) extend(mark, ({ marks }) => (marks & mark) !== 0);
  }
  if (!inLabel && span.href !== undefined && isWebAddress(span.href)) extend(LINK, ({ href }) => href === span.href);
  return longest;
}

/** The first character of a span, or of the sign of struck text. Other signs before it only help marks to end. */
function firstCharacter({ text, marks, image }: Span): string {
  if (image !== undefined && isWebAddress(image)) return "!";
  const first = characterAt(text, 0);
  if (marks & CODE && isEdge(first)) return "`";
  return marks & DEL && !isSpace(first) ? "~" : first;
}

function writeGroup(group: readonly Span[], common: number, context: Context): string {
  if (common === NOTHING) return writeSpan(group[0]!, context);
  return common === LINK ? writeLink(group, context) : writeMarked(group, common, context);
}

function writeSpan({ text, marks, image }: Span, context: Context): string {
  if (image !== undefined && isWebAddress(image)) {
    const label = escapeText(text.replace(/\s+/g, " "), { before: "[", after: "]", inLabel: true });
    return `![${label}](${writeDestination(image)})`;
  }
  // Two pieces of code next to each other would be read as one, and some parsers look for brackets in code in a label.
  const canBeCode = context.before !== "`" && !(context.inLabel && /[`\\[\]]/.test(text));
  if (marks & CODE && canBeCode) return writeCode(text);
  // Two spaces at the end of a line are markup.
  const lines = text.split("\n").map((line, index, { length }) => (index < length - 1 ? line.trimEnd() : line));
  return escapeText(lines.join("\n"), context);
}

/** A fence that is longer than any run of the same characters in a text. */
export function fenceFor(text: string, min: number): string {
  let length = min;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

function writeCode(text: string): string {
  const line = text.replaceAll("\n", " ");
  if (isSpace(line)) return line;
  const fence = fenceFor(line, 1);
  const needsSpace = line.startsWith("`") || line.endsWith("`") || (line.startsWith(" ") && line.endsWith(" "));
  return needsSpace ? `${fence} ${line} ${fence}` : fence + line + fence;
}

function writeLink(group: readonly Span[], context: Context): string {
  const href = group[0]!.href!;
  const { lead, inner, trail } = trimGroup(group, isSpace, isSpace);
  if (inner.length === 0) return lead + trail;
  const [only, ...others] = inner;
  const isPlainText = others.length === 0 && only!.image === undefined && (only!.marks & ~context.open) === 0;
  const isText = isPlainText && !/&[a-z\d#]+;/i.test(only!.text);
  if (isText && isAutolink(only!.text, href)) return `${lead}<${only!.text}>${trail}`;
  const lines = inner.map((span) => ({ ...span, text: span.text.replaceAll("\n", " ") }));
  const label = writeRun(lines, { ...context, inLabel: true, before: "[", after: "]" });
  return `${lead}[${label}](${writeDestination(href)})${trail}`;
}

/** Whether an address between angle brackets is this link to every reader. */
const isAutolink = (text: string, href: string): boolean =>
  text === href || `${text}/` === href || text === `${href}/`
    ? /^https?:\/\/[^\s<>\\]+$/i.test(text)
    : `mailto:${text}` === href && /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(text);

function writeDestination(address: string): string {
  const encoded = address.replace(/[\s<>\\]/g, encodeURIComponent).replace(/&(?=[a-z\d#]+;)/gi, "&amp;");
  return /[()]/.test(encoded) ? `<${encoded}>` : encoded;
}

/** Some parsers do not count `~` and characters of two code units as punctuation on the outside of other marks. */
const isOutside = (character: string) => character !== "~" && character.length < 2 && isEdge(character);

type Test = (character: string) => boolean;

/** The characters at both ends of a group that pass a test, and the group without them. */
function trimGroup(group: readonly Span[], isLead: Test, isTrail: Test) {
  const inner = [...group];
  let lead = "";
  let trail = "";
  while (inner.length > 0 && isPlain(inner[0]!)) {
    const { text, ...style } = inner.shift()!;
    const count = countStart(text, isLead);
    lead += text.slice(0, count);
    if (count === text.length) continue;
    inner.unshift({ ...style, text: text.slice(count) });
    break;
  }
  while (inner.length > 0 && isPlain(inner.at(-1)!)) {
    const { text, ...style } = inner.pop()!;
    const count = countEnd(text, isTrail);
    trail = text.slice(text.length - count) + trail;
    if (count === text.length) continue;
    inner.push({ ...style, text: text.slice(0, text.length - count) });
    break;
  }
  return { lead, inner, trail };
}

const isPlain = ({ marks, image }: Span) => !(marks & CODE) && image === undefined;

/** Marks do not count next to a space, nor between a letter and punctuation, so both are moved outside of them. */
function writeMarked(group: readonly Span[], mark: number, context: Context): string {
  const isLead = isOutside(context.before) ? isSpace : isEdge;
  const isTrail = isOutside(context.after) ? isSpace : isEdge;
  const { lead, inner, trail } = trimGroup(group, isLead, isTrail);
  const leadText = escapeText(lead, { ...context, after: "*" });
  const trailText = escapeText(trail, { ...context, before: "*" });
  if (inner.length === 0) return leadText + trailText;
  const before = characterBefore(lead, lead.length) || context.before;
  const after = characterAt(trail, 0) || context.after;
  const sign = signOf(mark, before, after);
  const inside = { ...context, open: context.open | mark };
  const content = writeRun(inner, { ...inside, before: sign[0]!, after: sign[0]! });
  if (canMark(sign, content, { ...context, before, after })) return leadText + sign + content + sign + trailText;
  return leadText + writeRun(inner, { ...inside, before, after }) + trailText;
}

function signOf(mark: number, before: string, after: string): string {
  if (mark === STRONG) return "**";
  if (mark === DEL) return "~~";
  return isOutside(before) && isOutside(after) ? "_" : "*";
}

function canMark(sign: string, content: string, { open, before, after }: Context): boolean {
  const first = characterAt(content, 0);
  const last = characterBefore(content, content.length);
  if (isSpace(first) || isSpace(last)) return false;
  // Parsers differ in what they make of signs of the same character inside each other.
  if (sign === "~~" && content.includes("~~")) return false;
  if (sign === "*" && (open & STRONG || content.includes("*"))) return false;
  // Next to each other, they would be read as one longer run.
  const isSame = (character: string) => character === sign[0];
  if (isSame(before) || isSame(first) || (isSame(last) && !content.endsWith(`\\${last}`))) return false;
  return (isOutside(before) || !isEdge(first)) && (isOutside(after) || !isEdge(last));
}
