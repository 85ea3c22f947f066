/** The words of a text that have a letter or a digit, without the characters that could end a double quote. */
export const wordsOf = (text: string): string[] => text.split(/[\s"\\]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** The same words, each in double quotes, for search languages in which what is quoted has no other meaning. */
export const quotedWords = (text: string): string =>
  wordsOf(text)
    .map((word) => `"${word}"`)
    .join(" ");

/**
 * The words of a text without anything that could have another meaning, for search languages whose operators are words
 * in capitals or other characters.
 */
export const bareWords = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*/gu)
    ?.join(" ") ?? "";
