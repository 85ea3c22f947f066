const MARKUP = Symbol("markup");

/** Markup. Only the functions below create it, so everything else on a web page is escaped. */
export interface Html {
  readonly [MARKUP]: string;
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!);

function render(value: Value): string {
  if (value === false || value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(render).join("");
  return typeof value === "object" ? (value as Html)[MARKUP] : escapeText(String(value));
}

/** Inserts values into markup, escaped. An attribute that contains a value must be quoted. */
export const html = (literals: TemplateStringsArray, ...values: Value[]): Html => ({
  [MARKUP]: String.raw({ raw: literals }, ...values.map(render)),
});

export const toText = (markup: Html): string => markup[MARKUP];

/** Markup that is part of the source code, such as a style sheet. Never use it for external values. */
export const trusted = (markup: string): Html => ({ [MARKUP]: markup });
