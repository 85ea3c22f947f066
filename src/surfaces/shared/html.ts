const MARKUP = Symbol("markup");

/** Markup. Only the template below makes it, so everything else that gets onto a page is escaped. */
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

/** Fills values into markup. Attributes that hold one must have quotes. */
export const html = (literals: TemplateStringsArray, ...values: Value[]): Html => ({
  [MARKUP]: String.raw({ raw: literals }, ...values.map(write)),
});

export const toText = (markup: Html): string => markup[MARKUP];
