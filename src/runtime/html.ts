const MARKUP = Symbol("markup");

/** Markup. Only the functions below make it, so everything else that gets onto a page is escaped. */
export interface Html {
  readonly [MARKUP]: string;
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);

function write(value: Value): string {
  if (value === false || value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(write).join("");
  return typeof value === "object" ? (value as Html)[MARKUP] : escapeText(String(value));
}

/** Fills values into markup, escaped. An attribute that contains one must have quotes. */
export const html = (literals: TemplateStringsArray, ...values: Value[]): Html => ({
  [MARKUP]: String.raw({ raw: literals }, ...values.map(write)),
});

export const toText = (markup: Html): string => markup[MARKUP];

/** Markup that is part of the source, such as a style sheet. Never for a value from outside. */
export const trusted = (markup: string): Html => ({ [MARKUP]: markup });
