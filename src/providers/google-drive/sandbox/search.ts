import { hasWords, refuse } from "../../../emulator-kit/index.ts";
import type { File } from "./data.ts";
import { invalid } from "./replies.ts";

type Matches = (file: File, ...values: string[]) => boolean;

const inFolder: Matches = ({ parents }, folder) => parents?.includes(folder!) ?? false;

const QUOTED = String.raw`'((?:[^'\\]|\\.)*)'`;

/** The terms that the sandbox knows. https://developers.google.com/workspace/drive/api/guides/ref-search-terms */
const TERMS = Object.entries<Matches>({
  [`${QUOTED} in parents`]: inFolder,
  "trashed = (true|false)": ({ trashed }, value) => String(trashed) === value,
  [`modifiedTime >= ${QUOTED}`]: ({ modifiedTime }, time) => Date.parse(modifiedTime) >= Date.parse(time!),
  [`fullText contains ${QUOTED}`]: ({ name }, text) => hasWords(text!, name),
  [`name contains ${QUOTED}`]: ({ name }, part) => name.toLowerCase().includes(part!.toLowerCase()),
  [`name = ${QUOTED}`]: ({ name }, whole) => name === whole,
  [`mimeType (!?=) ${QUOTED}`]: ({ mimeType }, operator, type) => (mimeType === type) === (operator === "="),
}).map(([pattern, matches]) => ({
  pattern: new RegExp(`^\\s*${pattern.replaceAll(" ", "\\s*")}\\s*(?:and\\s+|$)`),
  matches,
}));

/** The term at the start of a query, with its values. */
function firstTerm(query: string) {
  for (const { pattern, matches } of TERMS) {
    const [whole, ...values] = pattern.exec(query) ?? [];
    if (whole) return { whole, matches, values: values.map((value) => value.replace(/\\(['\\])/g, "$1")) };
  }
  return refuse(invalid("q"));
}

/** A search query of terms that are joined by `and`: what it finds, and the folders that it names. */
export function parseSearch(query: string): { matches(file: File): boolean; folders: string[] } {
  const terms: ReturnType<typeof firstTerm>[] = [];
  for (let rest = query.trim(); rest !== ""; rest = rest.slice(terms.at(-1)!.whole.length)) terms.push(firstTerm(rest));
  return {
    matches: (file) => terms.every(({ matches, values }) => matches(file, ...values)),
    folders: terms.flatMap(({ matches, values }) => (matches === inFolder ? values : [])),
  };
}
