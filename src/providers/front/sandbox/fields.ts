// Custom fields of conversations and contacts: https://dev.frontapp.com/reference/custom-fields
import { customFields, customSample, type EmulatedRequest, reply } from "../../../emulator-kit/index.ts";

interface OwnField {
  type: string;
  label: string;
  choices?: readonly string[];
}

export const NOTE = customFields.note.label;

// Front has no field of several choices.
const OWN: Record<string, OwnField> = {
  tier: { type: "enum", ...customFields.tier },
  note: { type: "string", ...customFields.note },
  score: { type: "number", ...customFields.score },
  is_vip: { type: "boolean", ...customFields.is_vip },
  renews_on: { type: "datetime", ...customFields.renews_on },
};

export const listFields = ({ path }: EmulatedRequest) =>
  reply(200, {
    _links: { self: `https://sandbox.api.frontapp.com${path}` },
    _results: Object.values(OWN).map(({ type, label, choices }, index) => ({
      _links: { self: `https://sandbox.api.frontapp.com/custom_fields/fld_${index}` },
      id: `fld_${index}`,
      name: label,
      description: "",
      type,
      ...(choices && { values: choices.map((value) => ({ value, label: value })) }),
    })),
  });

export type Values = Record<string, unknown>;

/** By the names that people see. Fields without a value are left out. */
export function ownValues(index: number): Values {
  const { tier, note, score, is_vip, renews_on } = customSample(index);
  const values: Values = { tier, note, score, is_vip, renews_on: renews_on && Date.parse(renews_on) / 1000 };
  const entries = Object.keys(OWN).map((name): [string, unknown] => [OWN[name]!.label, values[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

const FORMATS: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  datetime: Number.isInteger,
};

/** Whether each field that a client sends takes its value, for `checkFields`. */
export const validFields = (sent: Values = {}): Record<string, boolean> =>
  Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const { type, choices } = Object.values(OWN).find(({ label }) => label === name) ?? {};
      const isValid = choices ? choices.includes(value as string) : type !== undefined && FORMATS[type]!(value);
      return [`custom_fields.${name}`, isValid];
    }),
  );
