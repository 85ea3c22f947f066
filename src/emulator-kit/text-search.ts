/** The words of a text, without punctuation. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/** Whether the texts of a record contain every word of a search, as the search of most providers works. */
export function hasWords(search: string, ...texts: (string | null | undefined)[]): boolean {
  const all = texts.join("\n").toLowerCase();
  return wordsOf(search).every((word) => all.includes(word));
}
