export type Texts = Record<string, string>;
type Values = Readonly<Record<string, string | undefined>>;

/** A text with `{name}` filled in; undefined if a value is missing. */
export function fillText(text: string, values: Values): string | undefined {
  let isComplete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) isComplete = false;
    return value ?? "";
  });
  return isComplete ? filled : undefined;
}

/** Parameters with `{name}` filled in, without those whose values are missing. */
export const fillTexts = (texts: Texts, values: Values): Texts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => {
      const filled = fillText(text, values);
      return filled === undefined ? [] : [[name, filled]];
    }),
  );

/** A value of JSON with `{name}` filled in wherever there is a text; empty if a value is missing. */
export function fillDeep(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fillText(value, values) ?? "";
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillDeep(item, values)]));
}
