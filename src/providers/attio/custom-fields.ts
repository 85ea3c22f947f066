import {
  type CustomFieldSource,
  customProblem,
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
interface AttioAttribute {
  api_slug: string;
  title: string;
  type: string;
  is_system_attribute: boolean;
  is_multiselect: boolean;
  is_archived: boolean;
}

type Entry = Record<string, unknown>;

const titleOf = (choice: unknown) => (typeof choice === "string" ? choice : (choice as Entry | null)?.title);

/** What a value of each type of attribute says. https://docs.attio.com/docs/attribute-types */
const TYPES: Record<string, { type: DescribedField["type"]; read(entry: Entry): unknown }> = {
  text: { type: "string", read: ({ value }) => value },
  number: { type: "number", read: ({ value }) => value },
  rating: { type: "number", read: ({ value }) => value },
  checkbox: { type: "boolean", read: ({ value }) => value },
  date: { type: "date", read: ({ value }) => value },
  timestamp: { type: "date", read: ({ value }) => value },
  currency: { type: "number", read: ({ currency_value }) => currency_value },
  select: { type: "string", read: ({ option }) => titleOf(option) },
  status: { type: "string", read: ({ status }) => titleOf(status) },
  domain: { type: "string", read: ({ domain }) => domain },
  "email-address": { type: "string", read: ({ email_address }) => email_address },
  "phone-number": { type: "string", read: ({ phone_number }) => phone_number },
  "personal-name": { type: "string", read: ({ full_name }) => full_name },
  "record-reference": { type: "string", read: ({ target_record_id }) => target_record_id },
  "actor-reference": { type: "string", read: ({ referenced_actor_id }) => referenced_actor_id },
};

/** Values of these types consist of several parts. */
const COMPOUND = ["personal-name", "record-reference", "actor-reference"];

function toField({ api_slug, title, ...attribute }: AttioAttribute): DescribedField {
  const type = TYPES[attribute.type]?.type ?? null;
  return {
    path: pointerTo("values", api_slug),
    label: title,
    type: attribute.is_multiselect && type === "string" ? "strings" : type,
    custom: !attribute.is_system_attribute,
    kind: attribute.type,
  };
}

const readEntry = (entry: unknown): unknown => {
  const { attribute_type } = (entry ?? {}) as Entry;
  return typeof attribute_type === "string" ? TYPES[attribute_type]?.read(entry as Entry) : entry;
};

function toValue(field: WrittenField): unknown[] {
  const { value, described } = field;
  const { kind = "" } = described ?? {};
  if (COMPOUND.includes(kind))
    throw customProblem(field, `is a ${kind}, which cannot be written: send it in \`provider\`, with \`data.values\``);
  if (value === null) return [];
  if (kind === "date") return [utcDay(String(value))];
  return kind === "timestamp" ? [isoTime(String(value))] : [value].flat();
}

/** Every attribute is a list of values, of which only some can have more than one. Options are written by their titles. */
export const customFields = (object: "people" | "companies" | "deals"): CustomFieldSource => ({
  async describe({ upstream }) {
    const { data } = (await upstream<{ data: AttioAttribute[] }>(get(path`/objects/${object}/attributes`))).body;
    return data.filter(({ is_archived }) => !is_archived).map(toField);
  },
  convert(value, type) {
    if (!Array.isArray(value)) return value;
    const values = value.map(readEntry);
    return type === "strings" ? values : values[0];
  },
  write: (fields) => ({ data: { values: writeTo(fields, ["values"], toValue) } }),
});
