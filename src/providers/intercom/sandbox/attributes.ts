// Attributes that a workspace adds to its ticket types and contacts.
// https://developers.intercom.com/docs/references/rest-api/api.intercom.io/ticket-type-attributes
import {
  customFields,
  customSample,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  uuid,
} from "../../../emulator-kit/index.ts";

interface OwnAttribute {
  label: string;
  /** Of tickets, and of contacts. */
  type: string;
  ofContacts: string;
  choices?: readonly string[];
}

export const NOTE = customFields.note.label;

// There is no attribute of several choices.
const OWN: Record<string, OwnAttribute> = {
  tier: { type: "list", ofContacts: "string", ...customFields.tier },
  note: { type: "string", ofContacts: "string", ...customFields.note },
  score: { type: "decimal", ofContacts: "float", ...customFields.score },
  is_vip: { type: "boolean", ofContacts: "boolean", ...customFields.is_vip },
  renews_on: { type: "datetime", ofContacts: "date", ...customFields.renews_on },
};

const TIME = 1_768_035_600;

const itemsOf = (choices: readonly string[]) => choices.map((label, index) => ({ label, id: uuid(700 + index) }));

/** Attributes of tickets are named as people see them. */
const attribute = (name: string, data_type: string, order: number, ticket_type_id: string, rest: object = {}) => ({
  type: "ticket_type_attribute",
  id: String(170 + order),
  name,
  description: "",
  data_type,
  input_options: null,
  order,
  default: false,
  ticket_type_id: Number(ticket_type_id),
  archived: false,
  created_at: TIME,
  updated_at: TIME,
  ...rest,
});

export const attributesOf = (ticketType: string) => ({
  type: "list",
  data: [
    attribute("_default_title_", "string", 0, ticketType, { default: true }),
    attribute("_default_description_", "string", 1, ticketType, { default: true }),
    ...Object.values(OWN).map(({ label, type, choices }, index) =>
      attribute(
        label,
        type,
        2 + index,
        ticketType,
        choices ? { input_options: { list_options: itemsOf(choices) } } : {},
      ),
    ),
  ],
});

export function listDataAttributes({ query }: EmulatedRequest): EmulatedReply {
  const model = query.get("model") ?? "contact";
  const described = (name: string, label: string, data_type: string) => ({
    type: "data_attribute",
    model,
    name,
    full_name: name,
    label,
    description: "",
    data_type,
    api_writable: true,
    ui_writable: true,
    messenger_writable: false,
    custom: false,
    archived: false,
  });
  const own = Object.entries(OWN).map(([name, { label, ofContacts, choices }], index) => ({
    ...described(name, label, ofContacts),
    id: 12_800 + index,
    full_name: `custom_attributes.${name}`,
    custom: true,
    created_at: TIME,
    updated_at: TIME,
    ...(choices && { options: choices }),
  }));
  return reply(200, {
    type: "list",
    data: [described("email", "Email", "string"), ...(model === "contact" ? own : [])],
  });
}

type Values = Record<string, unknown>;

const present = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

/** Attributes without a value are left out. */
export function ticketValues(index: number): Values {
  const { tier, note, score, is_vip, renews_on } = customSample(index);
  const values: Values = { tier, note, score, is_vip, renews_on: renews_on && `${renews_on}T00:00:00.000Z` };
  return present(Object.fromEntries(Object.keys(OWN).map((name) => [OWN[name]!.label, values[name]])));
}

export function contactValues(index: number): Values {
  const { tier, note, score, is_vip, renews_on } = customSample(index);
  return present({ tier, note, score, is_vip, renews_on: renews_on && Date.parse(renews_on) / 1000 });
}

const FORMATS: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  decimal: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  datetime: (value) => !Number.isNaN(Date.parse(String(value))),
};

/** The attributes of a ticket that a client sends, with the names of list items, which are sent by their IDs. */
export function readAttributes(sent: Values = {}, invalid: (message: string) => EmulatedReply): Values {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (name.startsWith("_default_")) return [name, value];
      const own = Object.values(OWN).find(({ label }) => label === name);
      if (!own) return refuse(invalid(`The ticket attribute ${name} does not exist`));
      if (value === null) return [name, null];
      const item = own.choices && itemsOf(own.choices).find(({ id }) => id === value);
      if (own.choices ? !item : !FORMATS[own.type]!(value)) refuse(invalid(`The value of ${name} is not valid`));
      return [name, item?.label ?? value];
    }),
  );
}
