const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [ARRAY_START, ARRAY_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where a string ends whose opening quote is at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether a JSON text has more than `max` values, in one pass over its bytes and without parsing it. */
export function hasMoreValues(json: Uint8Array, max: number): boolean {
  // A value takes at least two bytes: a character and a comma, or a pair of brackets.
  if (json.length < 2 * max) return false;
  let count = 1;
  let opened = false;
  for (let at = 0; at < json.length && count <= max; at++) {
    const byte = json[at]!;
    if (byte <= SPACE) continue;
    // The first value of an array or object has no comma in front of it.
    if (opened && byte !== ARRAY_END && byte !== OBJECT_END) count++;
    opened = byte === ARRAY_START || byte === OBJECT_START;
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) count++;
  }
  return count > max;
}
