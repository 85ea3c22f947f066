import { get, linkQuery, quotedWords } from "../../provider-kit/index.ts";
import type { ShortcutStory } from "./records.ts";

export interface FoundStories {
  data: ShortcutStory[];
  /** Path and query of the next page. */
  next?: string | null;
}

export type FoundCursor = {
  next: string;
  /** How many stories the pages before it have. */
  before: number;
};

/** Of the 250 that are allowed: each story comes with its comments, as only then it has a description. */
const PAGE_SIZE = 100;
/** What is asked for beyond them is refused. */
const MAX_FOUND = 1_000;

/** https://developer.shortcut.com/api/rest/v3#Search-Stories */
export const storiesWith = (query: string, cursor: FoundCursor | undefined) =>
  get("/search/stories", {}, { query: quotedWords(query), detail: "full", page_size: PAGE_SIZE, next: cursor?.next });

export function nextFound({ data, next }: FoundStories, cursor: FoundCursor | undefined): FoundCursor | null {
  const token = linkQuery(next)?.next;
  const before = (cursor?.before ?? 0) + data.length;
  return typeof token === "string" && before < MAX_FOUND ? { next: token, before } : null;
}
