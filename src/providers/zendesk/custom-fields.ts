import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  ProviderFailure,
  pointerTo,
  type Upstream,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface ZendeskField {
  id: number;
  /** Only fields of users have one. */
  key?: string;
  title: string;
  type: string;
  active?: boolean;
  custom_field_options?: { name: string; value: string }[] | null;
}

/**
 * Fields of other types are Zendesk's own, which records have as members with names.
 * https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_fields/
 */
const TYPES: Record<string, DescribedField["type"]> = {
  text: "string",
  textarea: "string",
  regexp: "string",
  partialcreditcard: "string",
  lookup: "string",
  tagger: "string",
  dropdown: "string",
  integer: "number",
  decimal: "number",
  checkbox: "boolean",
  date: "date",
  multiselect: "strings",
};

const toFields = (fields: readonly ZendeskField[], pointer: (field: ZendeskField) => string): DescribedField[] =>
  fields
    .filter(({ type, active }) => Object.hasOwn(TYPES, type) && active !== false)
    .map((field) => ({
      path: pointer(field),
      label: field.title,
      type: TYPES[field.type]!,
      custom: true,
      kind: field.type,
      ...(field.custom_field_options && {
        choices: field.custom_field_options.map(({ name, value }) => ({ id: value, label: name })),
      }),
    }));

/** None if the token lacks the scope `read`: fields are then known only from records that have a value. */
async function readFields(kind: "ticket_fields" | "user_fields", upstream: Upstream): Promise<ZendeskField[]> {
  try {
    return (await upstream<Record<typeof kind, ZendeskField[]>>(get(`/${kind}`))).body[kind];
  } catch (error) {
    if (error instanceof ProviderFailure && error.status === 403) return [];
    throw error;
  }
}

/** Options are written by the tags that they set. */
function toValue(field: WrittenField): unknown {
  const { value, described } = field;
  const kind = described?.kind ?? field.type;
  if (value === null) return kind === "multiselect" || kind === "strings" ? [] : null;
  if (described?.choices) {
    const tags = [value].flat().map((one) => chosen(field, String(one)).id);
    return Array.isArray(value) ? tags : tags[0];
  }
  return kind === "date" ? utcDay(String(value)) : value;
}

interface Entry {
  value: unknown;
}

/** https://developer.zendesk.com/documentation/ticketing/managing-tickets/creating-and-updating-tickets/#setting-custom-field-values */
export const ticketFields: CustomFieldSource = {
  named: { "/custom_fields": { key: "id", value: ({ value }: Entry) => value } },
  describe: async ({ upstream }) =>
    toFields(await readFields("ticket_fields", upstream), ({ id }) => pointerTo("custom_fields", String(id))),
  write: (fields) => ({
    ticket: {
      custom_fields: Object.entries(writeTo(fields, ["custom_fields"], toValue)).map(([id, value]) => ({
        id: Number(id),
        value,
      })),
    },
  }),
};

/** https://developer.zendesk.com/api-reference/ticketing/users/user_fields/ */
export const userFields: CustomFieldSource = {
  describe: async ({ upstream }) =>
    toFields(await readFields("user_fields", upstream), ({ key, id }) => pointerTo("user_fields", key ?? String(id))),
};
