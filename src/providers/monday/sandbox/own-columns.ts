// Columns that are no field of a task.
import { customFields, customSample } from "../../../emulator-kit/index.ts";
import { column, columnValue, type Given, labels } from "./columns.ts";

const NOTE = column("text_note", "text", customFields.note.label);

export const OWN_COLUMNS = [
  column("color_tier", "status", customFields.tier.label, { labels: labels([...customFields.tier.choices]) }),
  NOTE,
  column("numeric_score", "numbers", customFields.score.label),
  column("boolean_vip", "checkbox", customFields.is_vip.label),
  column("date_renews", "date", customFields.renews_on.label),
  column("dropdown_interests", "dropdown", customFields.interests.label, {
    labels: labels([...customFields.interests.choices]),
  }),
];

/** What is written to these columns of an item. */
export function ownGiven(index: number): Record<string, Given> {
  const { tier, note, score, is_vip, renews_on, interests } = customSample(index);
  return {
    color_tier: { label: tier },
    text_note: { text: note ?? "" },
    numeric_score: { text: score === null ? "" : String(score) },
    boolean_vip: is_vip ? { checked: "true" } : {},
    date_renews: renews_on === null ? {} : { date: renews_on },
    dropdown_interests: { labels: interests },
  };
}

type Value = ReturnType<typeof columnValue>;
export const withNote = (values: Value[], text: string): Value[] =>
  values.map((value) => (value.id === NOTE.id ? columnValue(NOTE, { text }, "") : value));
