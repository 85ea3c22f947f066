// Fields with options, which is the only type: https://developer.shortcut.com/api/rest/v3#CustomField
import { customFields, customSample, refuse, reply, uuid } from "../../../emulator-kit/index.ts";

const FOUNDED = "2026-01-05T09:00:00Z";

const field = (nth: number, name: string, labels: readonly string[]) => ({
  entity_type: "custom-field",
  id: uuid(8_000 + nth * 100),
  name,
  field_type: "enum",
  position: nth,
  enabled: true,
  values: labels.map((value, index) => ({
    entity_type: "custom-field-enum-value",
    id: uuid(8_001 + nth * 100 + index),
    value,
    position: index,
    color_key: null,
    enabled: true,
  })),
  created_at: FOUNDED,
  updated_at: FOUNDED,
});
const TIER = field(1, customFields.tier.label, customFields.tier.choices);
const INTEREST = field(2, customFields.interests.label, customFields.interests.choices);
export const FIELDS = [TIER, INTEREST];

interface FieldValue {
  field_id: string;
  value_id: string;
  value: string;
}

/** The values of a story. A field without one is left out. */
export function ownFields(index: number): FieldValue[] {
  const { tier, interests } = customSample(index);
  return [
    { own: TIER, label: tier },
    { own: INTEREST, label: interests.at(-1) },
  ].flatMap(({ own, label }) => {
    const option = own.values.find(({ value }) => value === label);
    return option ? [{ field_id: own.id, value_id: option.id, value: option.value }] : [];
  });
}

/** What a request writes, in place of all values before. */
export const writtenFields = (sent: { field_id: string; value_id: string }[]): FieldValue[] =>
  sent.map(({ field_id, value_id }) => {
    const option = FIELDS.find(({ id }) => id === field_id)?.values.find(({ id }) => id === value_id);
    return option
      ? { field_id, value_id, value: option.value }
      : refuse(reply(422, { message: `custom_fields: no such value ${value_id} of ${field_id}` }));
  });
