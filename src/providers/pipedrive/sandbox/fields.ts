// Custom fields are named by hashes: https://pipedrive.readme.io/docs/core-api-concepts-custom-fields
import { customFields, customSample, type EmulatedReply, refuse, reply } from "../../../emulator-kit/index.ts";

interface OwnField {
  type: string;
  label: string;
  choices?: readonly string[];
}

const hash = (digit: string) => `d4de1c1518b4531717c676029a45911c340390a${digit}`;
export const NOTE = hash("2");

// There is no field of this type for a boolean.
const OWN: Record<string, OwnField> = {
  [hash("1")]: { type: "enum", ...customFields.tier },
  [NOTE]: { type: "varchar", ...customFields.note },
  [hash("3")]: { type: "double", ...customFields.score },
  [hash("4")]: { type: "date", ...customFields.renews_on },
  [hash("5")]: { type: "set", ...customFields.interests },
};

const optionsOf = ({ choices }: OwnField) => choices?.map((label, index) => ({ id: 21 + index, label })) ?? null;
const optionId = (field: OwnField, label: string) => 21 + field.choices!.indexOf(label);

const field = (field_code: string, field_name: string, field_type: string, rest: object) => ({
  field_name,
  field_code,
  field_type,
  options: null,
  subfields: null,
  is_custom_field: false,
  is_optional_response_field: false,
  ...rest,
});

/** Those of deals have a description. */
export const listFields =
  (title: string, rest: object = {}) =>
  () =>
    reply(200, {
      success: true,
      data: [
        field(title, "Name", "varchar", rest),
        ...Object.entries(OWN).map(([code, own]) =>
          field(code, own.label, own.type, { options: optionsOf(own), is_custom_field: true, ...rest }),
        ),
      ],
      additional_data: { next_cursor: null },
    });

export type Values = Record<string, unknown>;

/** Options are IDs, and nothing chosen is null. */
export function ownValues(index: number): Values {
  const { tier, note, score, renews_on, interests } = customSample(index);
  const chosen = interests.map((label) => optionId(OWN[hash("5")]!, label));
  return {
    [hash("1")]: tier && optionId(OWN[hash("1")]!, tier),
    [NOTE]: note,
    [hash("3")]: score,
    [hash("4")]: renews_on,
    [hash("5")]: chosen.length > 0 ? chosen : null,
  };
}

export const noValues = (): Values => Object.fromEntries(Object.keys(OWN).map((code) => [code, null]));

/** The values with the names of options, as they are shown if these are asked for. */
export function withLabels(values: Values): Values {
  const labelled = ([code, value]: [string, unknown]) => {
    const options = OWN[code] && optionsOf(OWN[code]);
    if (!options || value === null) return [code, value];
    const option = (id: unknown) => options.find((one) => one.id === id);
    return [code, Array.isArray(value) ? value.map(option) : option(value)];
  };
  return Object.fromEntries(Object.entries(values).map(labelled));
}

const FORMATS: Record<string, (value: unknown) => boolean> = {
  double: (value) => typeof value === "number",
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  varchar: (value) => typeof value === "string",
};

function isValid(own: OwnField | undefined, value: unknown): boolean {
  if (!own) return false;
  if (value === null) return true;
  const isOption = (id: unknown) => optionsOf(own)!.some((one) => one.id === id);
  if (own.type === "set") return Array.isArray(value) && value.length > 0 && value.every(isOption);
  return own.type === "enum" ? isOption(value) : FORMATS[own.type]!(value);
}

/** The values after a write; a field that does not exist is refused. */
export function changedValues(before: Values, sent: Values = {}, invalid: (name: string) => EmulatedReply): Values {
  for (const [code, value] of Object.entries(sent))
    if (!isValid(OWN[code], value)) refuse(invalid(`custom_fields.${code}`));
  return { ...before, ...sent };
}
