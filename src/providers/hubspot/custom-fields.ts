import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface Property {
  name: string;
  label: string;
  type: string;
  fieldType: string;
  hubspotDefined?: boolean;
  options?: { label: string; value: string }[];
}

/** https://developers.hubspot.com/docs/api-reference/crm-properties-v3/guide */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  phone_number: "string",
  number: "number",
  bool: "boolean",
  date: "date",
  datetime: "date",
  enumeration: "string",
};

/** Several options of a checkbox are one text. */
const isMultiple = ({ type, fieldType }: Property) => type === "enumeration" && fieldType === "checkbox";

function toField(property: Property): DescribedField {
  const { name, label, type, hubspotDefined = false, options = [] } = property;
  const isChoice = type === "enumeration";
  return {
    path: pointerTo("properties", name),
    label,
    type: isMultiple(property) ? "strings" : (TYPES[type] ?? null),
    custom: !hubspotDefined,
    kind: type,
    ...(isChoice && { choices: options.map((option) => ({ id: option.value, label: option.label })) }),
  };
}

/** All values are text. An empty one clears the property. */
function toValue(field: WrittenField): string {
  const { value, described } = field;
  if (value === null) return "";
  if (described?.kind !== "enumeration") return Array.isArray(value) ? value.join(";") : String(value);
  return [value]
    .flat()
    .map((name) => chosen(field, String(name)).id)
    .join(";");
}

/** Any property can be read by its name. Lists ask for those that are declared, and HubSpot ignores unknown names. */
export const customFields = (kind: "contacts" | "companies" | "deals"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { body } = await upstream<{ results: Property[] }>(get(`/crm/v3/properties/${kind}`));
    return body.results.map(toField);
  },
  convert: (value, type) =>
    type === "strings" && typeof value === "string" ? value.split(";").filter((one) => one !== "") : value,
  write: (fields) => ({ properties: writeTo(fields, ["properties"], toValue) }),
});
