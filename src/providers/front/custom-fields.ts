import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  isoSeconds,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface FrontField {
  name: string;
  type: string;
  /** What can be chosen. */
  values?: { value: string; label?: string | null }[] | null;
}

/** https://dev.frontapp.com/reference/custom-fields */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  enum: "string",
  teammate: "string",
  inbox: "string",
  number: "number",
  boolean: "boolean",
  datetime: "date",
};

/** Fields have no other name than the one that people see. */
const toField = ({ name, type, values }: FrontField): DescribedField => ({
  path: pointerTo("custom_fields", name),
  label: name,
  type: TYPES[type] ?? null,
  custom: true,
  kind: type,
  ...(type === "enum" &&
    values && { choices: values.map(({ value, label }) => ({ id: value, label: label ?? value })) }),
});

const fieldsOf = (kind: "conversations" | "contacts"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { body } = await upstream<{ _results: FrontField[] }>(get(`/${kind}/custom_fields`));
    return body._results.map(toField);
  },
  // Times are numbers of seconds.
  convert: (value, type) => (type === "date" && typeof value === "number" ? isoSeconds(value) : value),
});

/** A write of some custom fields erases all others, so they are written together with those that stay. */
export const conversationFields: CustomFieldSource = { ...fieldsOf("conversations"), writesItself: true };

export const contactFields = fieldsOf("contacts");

function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  if (value === null) return null;
  if (described?.choices) return chosen(field, String(value)).id;
  return described?.kind === "datetime" ? Math.floor(Date.parse(String(value)) / 1000) : value;
}

export type FieldValues = Record<string, unknown>;

export const writtenValues = (fields: readonly WrittenField[]): FieldValues =>
  writeTo(fields, ["custom_fields"], toValue);

/** All custom fields after a write. What is left out is erased. */
export const withWritten = (known: FieldValues | null | undefined, written: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries({ ...known, ...written }).filter(([, value]) => value !== null));
