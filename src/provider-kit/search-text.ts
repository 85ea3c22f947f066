/**
 * The words of a text, each in double quotes, for search languages in which what is quoted has no other meaning. The
 * characters that could end a quote are left out, and so is what has neither a letter nor a digit.
 */
export const quotedWords = (text: string): string =>
  text
    .split(/[\s"\\]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .map((word) => `"${word}"`)
    .join(" ");
