import { likelyName } from "../runtime/likely-name.ts";

/** What is wrong with the default export of a file, and where in it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** What a value has to look like. Functions and regular expressions are values as well, so no JSON Schema is enough. */
export type Shape = (value: unknown, field: string) => FieldProblem[];

export const didYouMean = (given: string, names: Iterable<string>): string => {
  const meant = likelyName(given, names);
  return meant ? `: did you mean ${meant}?` : "";
};

const is =
  (isValid: (value: unknown) => boolean, message: string): Shape =>
  (value, field) =>
    isValid(value) ? [] : [{ field: field || "the default export", message }];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const anything: Shape = () => [];
export const anyText = is((value) => typeof value === "string", "must be a text");
export const text = is((value) => typeof value === "string" && value !== "", "must be a text that is not empty");
export const flag = is((value) => typeof value === "boolean", "must be true or false");
export const address = is(
  (value) => typeof value === "string" && /^https?:\/\/./.test(value),
  "must be an address that starts with https://",
);
export const wholeNumber = (min: number): Shape =>
  is((value) => Number.isInteger(value) && (value as number) >= min, `must be a whole number from ${min}`);
export const fn = is((value) => typeof value === "function", "must be a function");
export const regularExpression = is((value) => value instanceof RegExp, "must be a regular expression");
export const object = is(isObject, "must be an object");
export const oneOf = (...values: readonly string[]): Shape =>
  is((value) => values.includes(value as string), `must be one of ${values.join(", ")}`);

export const notEmpty =
  (shape: Shape): Shape =>
  (value, field) => {
    const problems = shape(value, field);
    return problems.length === 0 && Object.keys(value as object).length === 0
      ? [{ field, message: "must not be empty" }]
      : problems;
  };

export const listOf =
  (item: Shape): Shape =>
  (value, field) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => item(one, `${field}.${index}`))
      : [{ field, message: "must be a list" }];

type Shapes = Record<string, Shape>;
const inside = (field: string, name: string) => (field ? `${field}.${name}` : name);

/** An object with these fields, and any others. */
export const withFields =
  (required: Shapes, optional: Shapes = {}): Shape =>
  (value, field) => {
    if (!isObject(value)) return object(value, field);
    return Object.entries({ ...required, ...optional }).flatMap(([name, shape]) => {
      if (value[name] !== undefined) return shape(value[name], inside(field, name));
      return name in required ? [{ field: inside(field, name), message: "is missing" }] : [];
    });
  };

/** An object with these fields and no others. */
export const closed =
  (required: Shapes, optional: Shapes = {}): Shape =>
  (value, field) => {
    const known = Object.keys({ ...required, ...optional });
    const others = isObject(value) ? Object.keys(value).filter((name) => !known.includes(name)) : [];
    return [
      ...withFields(required, optional)(value, field),
      ...others.map((name) => ({ field: inside(field, name), message: `is unknown${didYouMean(name, known)}` })),
    ];
  };

/** An object with any names, of which some are required. */
export const named =
  (values: Shape, required: readonly string[] = []): Shape =>
  (value, field) => {
    const names = isObject(value) ? Object.keys(value) : [];
    return withFields(
      Object.fromEntries(required.map((name) => [name, values])),
      Object.fromEntries(names.map((name) => [name, values])),
    )(value, field);
  };
