import {
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  get,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface Field {
  id: string;
  name: string;
  field_type: string;
  enabled?: boolean;
  values?: { id: string; value: string; enabled?: boolean }[];
}
/** A story has no entry for a field without a value. */
export interface ShortcutFieldValue {
  field_id: string;
  value_id: string;
  value?: string;
}

/** Options are all that a field can have: https://developer.shortcut.com/api/rest/v3#CustomField */
const toField = ({ id, name, field_type, values = [] }: Field): DescribedField => ({
  path: pointerTo("custom_fields", id),
  label: name,
  type: field_type === "enum" ? "string" : null,
  custom: true,
  kind: field_type,
  choices: values.filter(({ enabled }) => enabled !== false).map((one) => ({ id: one.id, label: one.value })),
});

/** The values of a story after a write, which replaces all of them. */
export function customValues(
  written: readonly WrittenField[],
  before: readonly ShortcutFieldValue[] = [],
): ShortcutFieldValue[] | undefined {
  if (written.length === 0) return undefined;
  const values = writeTo(written, ["custom_fields"], (field) => {
    if (!field.described) throw customProblem(field, "cannot be set: the workspace has no such custom field");
    return field.value === null ? null : chosen(field, String(field.value)).id;
  });
  return [
    ...before.filter(({ field_id }) => !Object.hasOwn(values, field_id)),
    ...Object.entries(values).flatMap(([field_id, value_id]) =>
      value_id === null ? [] : [{ field_id, value_id: value_id as string }],
    ),
  ];
}

export const customFields: CustomFieldSource = {
  named: { "/custom_fields": { key: "field_id", value: ({ value }: ShortcutFieldValue) => value } },
  async describe({ upstream }) {
    const { body } = await upstream<Field[]>(get("/custom-fields"));
    return body.filter(({ enabled }) => enabled !== false).map(toField);
  },
  writesItself: true,
};
