import {
  type CustomFieldSource,
  type DescribedField,
  fieldNames,
  get,
  isoTime,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface ZohoField {
  api_name: string;
  field_label: string;
  data_type: string;
  json_type?: string | null;
  custom_field?: boolean;
}

/** https://www.zoho.com/crm/developer/docs/api/v8/field-meta.html */
const TYPES: Record<string, DescribedField["type"]> = {
  lookup: "string",
  ownerlookup: "string",
  userlookup: "string",
  currency: "number",
  percent: "number",
  date: "date",
  datetime: "date",
  multiselectpicklist: "strings",
};
const JSON_TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  integer: "number",
  double: "number",
  boolean: "boolean",
};

const toField = ({ api_name, field_label, data_type, json_type, custom_field = false }: ZohoField): DescribedField => ({
  path: pointerTo(api_name),
  label: field_label,
  type: TYPES[data_type] ?? JSON_TYPES[json_type ?? ""] ?? null,
  custom: custom_field,
  kind: data_type,
});

/** Times have no fractions of a second. */
function toValue({ value, described }: WrittenField): unknown {
  if (value === null) return null;
  if (described?.kind === "date") return utcDay(String(value));
  if (described?.kind === "datetime") return isoTime(String(value))?.replace(/\.\d+Z$/, "+00:00");
  // A record of another module, or a user.
  return described?.kind?.endsWith("lookup") ? { id: value } : value;
}

/** https://www.zoho.com/crm/developer/docs/api/v8/get-records.html */
const MAX_FIELDS = 50;

/** The fields to ask for. Unknown names are ignored. */
export const withFields = (fields: readonly string[], select: readonly string[]) => ({
  fields: [...new Set([...fields, "Created_Time", "Modified_Time", ...fieldNames(select)])]
    .slice(0, MAX_FIELDS)
    .join(","),
});

export const customFields = (module: "Contacts" | "Accounts" | "Deals"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { body } = await upstream<{ fields: ZohoField[] } | null>(get("/settings/fields", { module }));
    return (body?.fields ?? []).map(toField);
  },
  write: (fields) => ({ data: [writeTo(fields, [], toValue)] }),
});
