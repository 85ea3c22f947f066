/**
 * How many characters have to be inserted, deleted, replaced or swapped to get from one text to the other, or some number
 * above `most`.
 */
function distance(one: string, other: string, most: number): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + cost,
        isSwapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(current);
    if (Math.min(...current, ...rows[row - 1]!) > most) return most + 1;
  }
  return rows[one.length]![other.length]!;
}

/** The name that was probably meant: one typing mistake away, or two in a long name. */
export function likelyName(given: string, names: Iterable<string>): string | undefined {
  let found: string | undefined;
  let least = given.length < 8 ? 1 : 2;
  for (const name of names) {
    if (Math.abs(name.length - given.length) > least) continue;
    const changes = distance(given.toLowerCase(), name.toLowerCase(), least);
    if (changes > least) continue;
    found = name;
    least = changes - 1;
  }
  return found;
}
