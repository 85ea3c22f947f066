import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  isoTime,
  path,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
export interface SalesforceField {
  name: string;
  label: string;
  type: string;
  custom: boolean;
  restrictedPicklist: boolean;
  picklistValues?: { label: string | null; value: string }[] | null;
}

/** https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/field_types.htm */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  textarea: "string",
  picklist: "string",
  combobox: "string",
  email: "string",
  phone: "string",
  url: "string",
  id: "string",
  reference: "string",
  encryptedstring: "string",
  time: "string",
  int: "number",
  long: "number",
  double: "number",
  currency: "number",
  percent: "number",
  boolean: "boolean",
  date: "date",
  datetime: "date",
  multipicklist: "strings",
};

/** Any value can be written to a picklist that is not restricted. */
const toField = ({ name, label, type, custom, ...field }: SalesforceField): DescribedField => ({
  path: pointerTo(name),
  label,
  type: TYPES[type] ?? null,
  custom,
  kind: type,
  ...(field.restrictedPicklist && {
    choices: (field.picklistValues ?? []).map(({ value, label }) => ({ id: value, label: label ?? value })),
  }),
});

/** A day is refused where a time is expected, and the other way round. */
function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  if (value === null) return null;
  if (described?.choices)
    return [value]
      .flat()
      .map((one) => chosen(field, String(one)).id)
      .join(";");
  if (Array.isArray(value)) return value.join(";");
  if (described?.kind === "date") return utcDay(String(value));
  if (described?.kind === "datetime") return isoTime(String(value));
  return value;
}

/** A query for a field that does not exist fails, so that only those are asked for that the object has. */
export const customFields = (object: "Contact" | "Account" | "Opportunity"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { body } = await upstream<{ fields: SalesforceField[] }>(get(path`/sobjects/${object}/describe`));
    return body.fields.map(toField);
  },
  asksOnlyForKnown: true,
  convert: (value, type) => (type === "strings" && typeof value === "string" ? value.split(";") : value),
  write: (fields) => writeTo(fields, [], toValue),
});
