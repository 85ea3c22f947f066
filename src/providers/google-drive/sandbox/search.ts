import type { File } from "./data.ts";

type Matches = (file: File) => boolean;
interface Term {
  pattern: RegExp;
  matches(parts: string[]): Matches;
}

const unquote = (text: string) => text.replace(/\\(['\\])/g, "$1");

function compare(operator: string, left: number, right: number): boolean {
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  if (operator === ">") return left > right;
  if (operator === ">=") return left >= right;
  return operator === "=" ? left === right : left !== right;
}

const QUOTED = String.raw`'((?:[^'\\]|\\.)*)'`;
const term = (pattern: string, matches: Term["matches"]): Term => ({
  pattern: new RegExp(`^\\s*${pattern}\\s*(?:and\\s+|$)`),
  matches,
});

/** The terms that the sandbox knows. https://developers.google.com/workspace/drive/api/guides/ref-search-terms */
const TERMS: Term[] = [
  term(
    `${QUOTED} in parents`,
    ([folder]) =>
      ({ parents }) =>
        parents?.includes(folder!) ?? false,
  ),
  term(
    "trashed\\s*=\\s*(true|false)",
    ([value]) =>
      ({ trashed }) =>
        trashed === (value === "true"),
  ),
  term(
    `modifiedTime\\s*([<>]=?|!?=)\\s*${QUOTED}`,
    ([operator, time]) =>
      ({ modifiedTime }) =>
        compare(operator!, Date.parse(modifiedTime), Date.parse(time!)),
  ),
  term(
    `name contains ${QUOTED}`,
    ([part]) =>
      ({ name }) =>
        name.toLowerCase().includes(part!.toLowerCase()),
  ),
  term(
    `name\\s*=\\s*${QUOTED}`,
    ([whole]) =>
      ({ name }) =>
        name === whole,
  ),
  term(
    `mimeType\\s*(!?=)\\s*${QUOTED}`,
    ([operator, type]) =>
      ({ mimeType }) =>
        (mimeType === type) === (operator === "="),
  ),
];

export interface Search {
  matches: Matches;
  /** Folders that the query names. */
  folders: string[];
}

/** A search query of terms that are joined by `and`; undefined if it is invalid. */
export function parseSearch(query: string): Search | undefined {
  const search: Matches[] = [];
  const folders: string[] = [];
  let rest = query.trim();
  while (rest !== "") {
    let found: RegExpExecArray | null = null;
    const known = TERMS.find(({ pattern }) => {
      found = pattern.exec(rest);
      return found !== null;
    });
    if (!known || !found) return undefined;
    const [whole, ...parts] = (found as RegExpExecArray).map((part) => part ?? "");
    const values = parts.map(unquote);
    if (known === TERMS[0]) folders.push(values[0]!);
    search.push(known.matches(values));
    rest = rest.slice(whole!.length);
  }
  return { matches: (file) => search.every((matches) => matches(file)), folders };
}
