// Custom fields of an inbox: https://developer.helpscout.com/mailbox-api/endpoints/mailboxes/mailbox-fields/
import { customFields, customSample, type EmulatedReply, refuse } from "../../../emulator-kit/index.ts";

interface OwnField {
  id: number;
  type: string;
  label: string;
  choices?: readonly string[];
}

// Help Scout has no field for a boolean or for several choices, and numbers are whole.
const OWN: Record<string, OwnField> = {
  tier: { id: 104, type: "dropdown", ...customFields.tier },
  note: { id: 105, type: "multiline", ...customFields.note },
  score: { id: 106, type: "number", ...customFields.score },
  renews_on: { id: 107, type: "date", ...customFields.renews_on },
};

const optionsOf = (choices: readonly string[]) => choices.map((label, order) => ({ id: 168 + order, order, label }));

export const FIELDS = Object.values(OWN).map(({ id, type, label, choices }, order) => ({
  id,
  required: false,
  order,
  type,
  name: label,
  options: choices ? optionsOf(choices) : [],
}));

const shown = ({ id, label, choices }: OwnField, value: string) => ({
  id,
  name: label,
  value,
  text: choices ? optionsOf(choices).find((option) => String(option.id) === value)!.label : value,
});
export type ShownField = ReturnType<typeof shown>;

/** Fields without a value are left out. */
export function ownValues(index: number): ShownField[] {
  const { tier, note, score, renews_on } = customSample(index);
  const option = tier && optionsOf(customFields.tier.choices).find(({ label }) => label === tier)!.id;
  const values: Record<string, unknown> = { tier: option, note, score: score && Math.round(score), renews_on };
  return Object.keys(OWN).flatMap((name) => {
    const value = values[name] ?? null;
    return value === null ? [] : [shown(OWN[name]!, String(value))];
  });
}

export const withNote = (fields: readonly ShownField[], text: string): ShownField[] => [
  ...fields.filter(({ id }) => id !== OWN.note!.id),
  shown(OWN.note!, text),
];

const FORMATS: Record<string, RegExp> = { number: /^-?\d+$/, date: /^\d{4}-\d\d-\d\d$/ };

/** The fields of a conversation that a client sends: all of them. */
export function readFields(sent: { id?: unknown; value?: unknown }[] = [], invalid: (path: string) => EmulatedReply) {
  return sent.map(({ id, value }, index) => {
    const own = Object.values(OWN).find((one) => one.id === id) ?? refuse(invalid(`fields[${index}].id`));
    const isValid = own.choices
      ? optionsOf(own.choices).some((option) => String(option.id) === value)
      : typeof value === "string" && (FORMATS[own.type]?.test(value) ?? true);
    return isValid ? shown(own, String(value)) : refuse(invalid(`fields[${index}].value`));
  });
}
