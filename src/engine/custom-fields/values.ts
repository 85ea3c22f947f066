import type { CustomFieldType, CustomValue } from "../../contracts/custom-fields.ts";
import { isDay } from "../../contracts/time.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Providers write times as ISO 8601, or in milliseconds since 1970. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const MILLISECONDS = /^-?\d{11,14}$/;

/** The text of a value; that of an option or a person is its name. */
function toText(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const { value: text, name = text, label = name } = value as Record<string, unknown>;
  return typeof label === "string" && label !== "" ? label : null;
}

function toNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function toBoolean(value: unknown): boolean | null {
  if (typeof value === "boolean") return value;
  return value === "true" ? true : value === "false" ? false : null;
}

/** What most providers send. */
const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

function toDate(value: unknown): string | null {
  if (typeof value === "string" && UTC_TIME.test(value) && !Number.isNaN(Date.parse(value)))
    return value.length === 24 ? value : `${value.slice(0, 19)}.000Z`;
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return null;
  const isDayOnly = DAY.test(text);
  const time = MILLISECONDS.test(text)
    ? Number(text)
    : isDayOnly || ISO_TIME.test(text)
      ? Date.parse(text)
      : Number.NaN;
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) return null;
  return isDayOnly ? text : new Date(time).toISOString();
}

function toTexts(value: unknown): string[] | null {
  if (!Array.isArray(value)) {
    const text = toText(value);
    return text === null ? null : [text];
  }
  const texts = value.map(toText);
  return texts.every((text) => text !== null) ? texts : null;
}

const conversions: Record<CustomFieldType, (value: unknown) => CustomValue> = {
  string: toText,
  number: toNumber,
  boolean: toBoolean,
  date: toDate,
  strings: toTexts,
};

/** The function that makes one of a type of a provider's value; null if it is none of that type. */
export const conversionTo = (type: CustomFieldType): ((value: unknown) => CustomValue) => conversions[type];

export const toCustomValue = (type: CustomFieldType, value: unknown): CustomValue => conversions[type](value);

/** Without an offset, a time would depend on the zone of this machine. */
const GIVEN_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2}))?$/i;

const isGivenDate = (text: string) => isDay(GIVEN_DATE.exec(text)?.[1] ?? "") && !Number.isNaN(Date.parse(text));

/** What is wrong with a value that a client writes; undefined if it is of the type. */
export function valueProblem(type: CustomFieldType, value: unknown): string | undefined {
  if (value === null) return undefined;
  if (type === "strings")
    return Array.isArray(value) && value.every((one) => typeof one === "string")
      ? undefined
      : "must be a list of strings or null";
  if (type !== "date") return typeof value === type ? undefined : `must be a ${type} or null`;
  return typeof value === "string" && isGivenDate(value)
    ? undefined
    : "must be a date, or a time with an offset, such as 2026-11-17 or 2026-11-17T09:30:00Z, or null";
}

/** The type that a value of a provider most likely has; null if it is of none. */
export function typeOf(value: unknown): CustomFieldType | null {
  if (typeof value === "number" || typeof value === "boolean") return typeof value as "number" | "boolean";
  if (typeof value === "string") return !MILLISECONDS.test(value) && toDate(value) !== null ? "date" : "string";
  if (Array.isArray(value)) return value.length > 0 && toTexts(value) !== null ? "strings" : null;
  return null;
}
