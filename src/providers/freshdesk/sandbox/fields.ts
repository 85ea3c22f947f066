// Fields that an account adds: https://developers.freshdesk.com/api/#ticket-fields
import { customFields, customSample, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";

interface OwnField {
  type: string;
  label: string;
  choices?: readonly string[];
}

// Freshdesk has no field of several choices.
const OWN: Record<string, OwnField> = {
  tier: { type: "custom_dropdown", ...customFields.tier },
  note: { type: "custom_paragraph", ...customFields.note },
  score: { type: "custom_decimal", ...customFields.score },
  is_vip: { type: "custom_checkbox", ...customFields.is_vip },
  renews_on: { type: "custom_date", ...customFields.renews_on },
};

const TIME = "2026-01-10T09:00:00Z";

const field = (id: number, name: string, isDefault: boolean, { type, label, choices }: OwnField) => ({
  id,
  name,
  label,
  description: label,
  type,
  default: isDefault,
  required_for_closure: false,
  required_for_agents: false,
  required_for_customers: false,
  created_at: TIME,
  updated_at: TIME,
  ...(choices && { choices }),
});

/** Those of tickets have a prefix. */
const listFields = (own: OwnField & { name: string }, prefix: string) => () =>
  reply(200, [
    field(1, own.name, true, own),
    ...Object.entries(OWN).map(([name, described], index) => field(10 + index, prefix + name, false, described)),
  ]);

export const listTicketFields = listFields({ name: "subject", type: "default_subject", label: "Subject" }, "cf_");
export const listContactFields = listFields({ name: "name", type: "default_name", label: "Full name" }, "");

export type Values = Record<string, unknown>;

export function ownValues(index: number, prefix = ""): Values {
  const sample: Values = { ...customSample(index) };
  return Object.fromEntries(Object.keys(OWN).map((name) => [prefix + name, sample[name]]));
}

export const noValues = (values: Values): Values => Object.fromEntries(Object.keys(values).map((name) => [name, null]));

const FORMATS: Record<string, [name: string, isValid: (value: unknown) => boolean]> = {
  custom_paragraph: ["String", (value) => typeof value === "string"],
  custom_decimal: ["Number", (value) => typeof value === "number"],
  custom_checkbox: ["Boolean", (value) => typeof value === "boolean"],
  custom_date: ["Date", (value) => /^\d{4}-\d\d-\d\d$/.test(String(value))],
};

/** What is wrong with the custom fields of a ticket that a client sends. */
export function problemsOf(sent: EmulatedRequest["body"]) {
  return Object.entries((sent ?? {}) as Values).flatMap(([field, value]) => {
    const { type, choices } = (field.startsWith("cf_") && OWN[field.slice(3)]) || {};
    if (!type) return [{ field, message: "Unexpected/invalid field in request", code: "invalid_field" }];
    if (value === null) return [];
    if (choices)
      return choices.includes(value as string)
        ? []
        : [{ field, message: `It should be one of these values: '${choices}'`, code: "invalid_value" }];
    const [name, isValid] = FORMATS[type]!;
    return isValid(value) ? [] : [{ field, message: `It should be a/an ${name}`, code: "datatype_mismatch" }];
  });
}
