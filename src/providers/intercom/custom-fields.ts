import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  isoSeconds,
  isoTime,
  pointerTo,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";
import { nameOf } from "./records.ts";

// Only the fields that are read.
interface TicketAttribute {
  name: string;
  data_type: string;
  /** Whether it is Intercom's own. */
  default?: boolean | null;
  archived?: boolean | null;
  input_options?: { list_options?: { id: string; label: string }[] | null } | null;
}
interface TicketType {
  archived?: boolean | null;
  ticket_type_attributes?: { data?: TicketAttribute[] | null } | null;
}
interface DataAttribute {
  name: string;
  label?: string | null;
  data_type: string;
  custom?: boolean;
  archived?: boolean;
}

/** Of tickets, and of contacts. */
const TYPES: Record<string, DescribedField["type"]> = {
  string: "string",
  list: "string",
  integer: "number",
  decimal: "number",
  float: "number",
  boolean: "boolean",
  datetime: "date",
  date: "date",
};

const toTicketField = ({ name, data_type, input_options }: TicketAttribute): DescribedField => ({
  path: pointerTo("ticket_attributes", name),
  label: nameOf(name) ?? name,
  type: TYPES[data_type] ?? null,
  custom: true,
  kind: data_type,
  ...(input_options?.list_options && { choices: input_options.list_options }),
});

const toContactField = ({ name, label, data_type }: DataAttribute): DescribedField => ({
  path: pointerTo("custom_attributes", name),
  label: nameOf(label) ?? name,
  type: TYPES[data_type] ?? null,
  custom: true,
  kind: data_type,
});

/** Dates are numbers of seconds. */
const convert: CustomFieldSource["convert"] = (value, type) =>
  type === "date" && typeof value === "number" ? isoSeconds(value) : value;

/** An item of a list is written by its ID. */
function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  if (value === null) return null;
  if (described?.choices) return chosen(field, String(value)).id;
  return described?.kind === "datetime" ? isoTime(String(value)) : value;
}

/**
 * Each type of ticket has attributes of its own. Those of several types with the same name are one field.
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/ticket-type-attributes
 */
export const ticketAttributes: CustomFieldSource = {
  async describe({ upstream }) {
    const { data } = (await upstream<{ data: TicketType[] }>(get("/ticket_types"))).body;
    const attributes = data
      .filter(({ archived }) => !archived)
      .flatMap(({ ticket_type_attributes }) => ticket_type_attributes?.data ?? [])
      .filter((attribute) => !attribute.default && !attribute.archived);
    return [...new Map(attributes.map((attribute) => [attribute.name, toTicketField(attribute)])).values()];
  },
  convert,
  write: (fields) => ({ ticket_attributes: writeTo(fields, ["ticket_attributes"], toValue) }),
};

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/data-attributes */
export const contactAttributes: CustomFieldSource = {
  async describe({ upstream }) {
    const { data } = (await upstream<{ data: DataAttribute[] }>(get("/data_attributes", { model: "contact" }))).body;
    return data.filter(({ custom, archived }) => custom && !archived).map(toContactField);
  },
  convert,
};
