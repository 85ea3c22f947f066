export type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: AnyValue[] } }
  | { kvlistValue: { values: KeyValue[] } };

export interface KeyValue {
  key: string;
  value: AnyValue;
}

/** Longer texts are cut. */
const MAX_TEXT = 16_384;

function toAnyValue(value: unknown): AnyValue {
  switch (typeof value) {
    case "string":
      return { stringValue: value.length > MAX_TEXT ? value.slice(0, MAX_TEXT) : value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    case "object":
      if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
      return { kvlistValue: { values: toAttributes(value as object) } };
    default:
      return { stringValue: String(value) };
  }
}

/** Without those that have no value. */
export function toAttributes(values: object): KeyValue[] {
  const list: KeyValue[] = [];
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== null) list.push({ key, value: toAnyValue(value) });
  return list;
}

/** Nanoseconds, as text because they do not fit into a number. */
export const toNanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1000)}000`;
