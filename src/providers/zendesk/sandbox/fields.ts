// Fields that an account adds to tickets and users: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_fields/
import { customFields, customSample, type EmulatedRequest, refuse, reply } from "../../../emulator-kit/index.ts";

const HOST = "https://sandbox.zendesk.com";
const TIME = "2026-01-10T09:00:00Z";

type Name = keyof typeof customFields;
const OWN: Record<Name, { id: number; type: string; ofUsers?: string }> = {
  tier: { id: 360_012, type: "tagger", ofUsers: "dropdown" },
  note: { id: 360_013, type: "textarea", ofUsers: "textarea" },
  score: { id: 360_014, type: "decimal", ofUsers: "decimal" },
  is_vip: { id: 360_015, type: "checkbox" },
  renews_on: { id: 360_016, type: "date", ofUsers: "date" },
  interests: { id: 360_017, type: "multiselect", ofUsers: "multiselect" },
};
const names = Object.keys(OWN) as Name[];

/** An option sets a tag. */
const tagOf = (label: string) => label.toLowerCase();

function field(name: Name, kind: "ticket_fields" | "user_fields", id: number, type: string) {
  const { label, choices } = customFields[name] as { label: string; choices?: readonly string[] };
  return {
    url: `${HOST}/api/v2/${kind}/${id}.json`,
    id,
    type,
    title: label,
    raw_title: label,
    description: "",
    raw_description: "",
    position: 9999,
    active: true,
    regexp_for_validation: null,
    created_at: TIME,
    updated_at: TIME,
    ...(choices && {
      custom_field_options: choices.map((option, index) => ({
        id: id * 10 + index,
        name: option,
        raw_name: option,
        value: tagOf(option),
      })),
    }),
  };
}

const ticketField = (name: Name) => {
  const { id, type } = OWN[name];
  return { ...field(name, "ticket_fields", id, type), required: false, removable: true, tag: null };
};

const SUBJECT = { ...ticketField("note"), id: 34, type: "subject", title: "Subject", raw_title: "Subject" };

export const listTicketFields = () =>
  reply(200, { ticket_fields: [{ ...SUBJECT, removable: false }, ...names.map(ticketField)] });

export const listUserFields = () =>
  reply(200, {
    user_fields: names.flatMap((name, index) => {
      const { ofUsers } = OWN[name];
      return ofUsers ? [{ ...field(name, "user_fields", 70 + index, ofUsers), key: name, system: false }] : [];
    }),
    next_page: null,
    previous_page: null,
    count: names.length - 1,
  });

export interface FieldValue {
  id: number;
  value: unknown;
}

/** Numbers are text. */
export function ticketValues(index: number): FieldValue[] {
  const sample = customSample(index);
  const values: Record<Name, unknown> = {
    ...sample,
    tier: sample.tier && tagOf(sample.tier),
    score: sample.score === null ? null : String(sample.score),
    interests: sample.interests.map(tagOf),
  };
  return names.map((name) => ({ id: OWN[name].id, value: values[name] }));
}

export function userValues(index: number): Record<string, unknown> {
  const { tier, note, score, renews_on, interests } = customSample(index);
  return {
    tier: tier && tagOf(tier),
    note,
    score,
    renews_on: renews_on && `${renews_on}T00:00:00+00:00`,
    interests: interests.map(tagOf),
  };
}

export const withNote = (values: readonly FieldValue[], text: string): FieldValue[] =>
  values.map((entry) => (entry.id === OWN.note.id ? { ...entry, value: text } : entry));

const FORMATS: Record<string, RegExp> = { decimal: /^-?\d+(\.\d+)?$/, date: /^\d{4}-\d\d-\d\d$/ };

function isValid(name: Name, value: unknown): boolean {
  const { choices } = customFields[name] as { choices?: readonly string[] };
  if (value === null) return true;
  if (choices) return [value].flat().every((tag) => choices.some((label) => tagOf(label) === tag));
  return FORMATS[OWN[name].type]?.test(String(value)) ?? true;
}

/** The values after a write. Fields that do not exist are ignored, as Zendesk does. */
export function changedValues(
  before: readonly FieldValue[],
  sent: EmulatedRequest["body"],
  invalid: (field: string, description: string) => ReturnType<typeof reply>,
): FieldValue[] {
  return before.map((entry) => {
    const change = (sent as FieldValue[] | undefined)?.find(({ id }) => id === entry.id);
    if (!change) return entry;
    const name = names.find((one) => OWN[one].id === entry.id)!;
    if (!isValid(name, change.value)) refuse(invalid("base", `${customFields[name].label}: is invalid`));
    const { value } = change;
    return { ...entry, value: typeof value === "number" ? String(value) : value };
  });
}
