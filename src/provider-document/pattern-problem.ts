/** Three quantifiers over a value of 253 characters take a few milliseconds at worst. */
const MAX_REPETITIONS = 3;

/** A character class, an escaped or plain character, a group's end or beginning, `|`; each with its quantifier. */
const PART =
  /(\[\^?\]?(?:\\.|[^\]\\])*\]|\\[wWdDsS.\-/\\_:@+]|\((?:\?:)?|\)|\||[\w .\-/:@~,;=!&%#'"<>])(\?|\*|\+|\{\d+(?:,\d*)?\})?/y;

/**
 * Why a regular expression must not be used; undefined if it may. Only patterns that take modest time for any text are
 * allowed: no group may be repeated, nothing may look around or refer back, and few parts may repeat.
 */
export function patternProblem(pattern: string): string | undefined {
  let repetitions = 0;
  PART.lastIndex = 0;
  while (PART.lastIndex < pattern.length) {
    const at = PART.lastIndex;
    const [, part, quantifier] = PART.exec(pattern) ?? [];
    if (part === undefined) return `has a character that is not allowed at position ${at + 1}`;
    if (quantifier === undefined) continue;
    if (part.startsWith("(") || part === "|") return "must not have anything but (?: and ( at the beginning of a group";
    if (quantifier === "?") continue;
    if (part === ")") return "must not repeat a group";
    if (!/^\{\d+\}$/.test(quantifier)) repetitions++;
    else if (Number(quantifier.slice(1, -1)) > 1_000) return "repeats a character too often";
  }
  if (repetitions > MAX_REPETITIONS) return `must not have more than ${MAX_REPETITIONS} parts that repeat`;
  try {
    new RegExp(`^(?:${pattern})$`);
  } catch {
    return "is not a regular expression";
  }
  return undefined;
}
