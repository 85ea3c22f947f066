import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface FreshdeskField {
  name: string;
  label: string;
  type: string;
  /** Whether it is Freshdesk's own. */
  default: boolean;
  /** A list of names for dropdowns, another format for dependent fields. */
  choices?: unknown;
}

/** https://developers.freshdesk.com/api/#ticket-fields and https://developers.freshdesk.com/api/#contact-fields */
const TYPES: Record<string, DescribedField["type"]> = {
  custom_text: "string",
  custom_paragraph: "string",
  custom_dropdown: "string",
  custom_url: "string",
  custom_phone_number: "string",
  nested_field: "string",
  custom_number: "number",
  custom_decimal: "number",
  custom_checkbox: "boolean",
  custom_date: "date",
};

const isText = (value: unknown) => typeof value === "string";

const toField = ({ name, label, type, choices }: FreshdeskField): DescribedField => ({
  path: pointerTo("custom_fields", name),
  label,
  type: TYPES[type] ?? null,
  custom: true,
  kind: type,
  ...(type === "custom_dropdown" &&
    Array.isArray(choices) &&
    choices.every(isText) && { choices: choices.map((choice) => ({ id: choice, label: choice })) }),
});

function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  if (value === null) return null;
  if (described?.choices) return chosen(field, String(value)).id;
  return described?.kind === "custom_date" ? utcDay(String(value)) : value;
}

/** The fields that an account adds are apart from Freshdesk's own. */
const fieldsOf = (kind: "ticket_fields" | "contact_fields"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { body } = await upstream<FreshdeskField[]>(get(`/${kind}`));
    return body.filter((field) => !field.default).map(toField);
  },
});

export const ticketFields: CustomFieldSource = {
  ...fieldsOf("ticket_fields"),
  write: (fields) => ({ custom_fields: writeTo(fields, ["custom_fields"], toValue) }),
};

export const contactFields = fieldsOf("contact_fields");
