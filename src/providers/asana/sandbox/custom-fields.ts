// The custom fields of a workspace: https://developers.asana.com/docs/custom-fields-guide
import { customFields, customSample, refuse } from "../../../emulator-kit/index.ts";
import { errorReply } from "./replies.ts";

const gid = (nth: number) => String(1_207_000_000_000_000 + nth);

const options = (labels: readonly string[], first: number) =>
  labels.map((name, index) => ({
    gid: String(first + index),
    resource_type: "enum_option",
    name,
    enabled: true,
    color: "blue",
  }));

const field = (id: string, name: string, type: string, more: object = {}) => ({
  gid: id,
  resource_type: "custom_field",
  name,
  resource_subtype: type,
  type,
  ...more,
});

const TIERS = options(customFields.tier.choices, 1_208_000_000_000_001);
const INTERESTS = options(customFields.interests.choices, 1_208_000_000_000_011);

export const FIELDS = [
  field(gid(1), customFields.tier.label, "enum", { enum_options: TIERS }),
  field(gid(2), customFields.note.label, "text"),
  field(gid(3), customFields.score.label, "number", { precision: 1 }),
  field(gid(4), customFields.renews_on.label, "date"),
  field(gid(5), customFields.interests.label, "multi_enum", { enum_options: INTERESTS }),
];
const [TIER, NOTE, SCORE, RENEWS_ON, SEVERAL] = FIELDS as [Field, Field, Field, Field, Field];
type Field = (typeof FIELDS)[number];

export interface FieldOfTask extends Field {
  display_value: string | null;
}
type Options = typeof TIERS;

const toFields = (tier: Options[number] | null, note: string | null, score: number | null, day: string | null) => [
  { ...field(TIER.gid, TIER.name, TIER.type), enum_value: tier, display_value: tier?.name ?? null },
  { ...NOTE, text_value: note, display_value: note },
  { ...SCORE, number_value: score, display_value: score === null ? null : String(score) },
  { ...RENEWS_ON, date_value: day === null ? null : { date: day }, display_value: day },
];

const several = (chosen: Options): FieldOfTask & { multi_enum_values: Options } => ({
  ...field(SEVERAL.gid, SEVERAL.name, SEVERAL.type),
  multi_enum_values: chosen,
  display_value: chosen.map(({ name }) => name).join(", "),
});

/** The fields of a task, with values. */
export function ownFields(index: number): FieldOfTask[] {
  const { tier, note, score, renews_on, interests } = customSample(index);
  return [
    ...toFields(TIERS.find(({ name }) => name === tier) ?? null, note, score, renews_on),
    several(INTERESTS.filter(({ name }) => interests.includes(name))),
  ];
}

/** The fields of a new task in a project. */
export const noValues = (): FieldOfTask[] => [...toFields(null, null, null, null), several([])];

const invalid = (message: string) => refuse(errorReply(400, message));

const optionIn = (options: Options, gid: unknown) =>
  options.find((one) => one.gid === gid) ?? invalid(`custom_field value: Unknown object: ${gid}`);

type Reader = (sent: unknown) => Partial<FieldOfTask> & object;
const READERS: Record<string, Reader> = {
  enum(sent) {
    const found = sent === null ? null : optionIn(TIERS, sent);
    return { enum_value: found, display_value: found?.name ?? null };
  },
  text: (sent) =>
    sent === null || typeof sent === "string"
      ? { text_value: sent || null, display_value: sent || null }
      : invalid("custom_field value: Not a String"),
  number: (sent) =>
    sent === null || typeof sent === "number"
      ? { number_value: sent, display_value: sent === null ? null : String(sent) }
      : invalid("custom_field value: Not a Number"),
  date(sent) {
    const { date, date_time } = (sent ?? {}) as { date?: string; date_time?: string };
    if (sent === null) return { date_value: null, display_value: null };
    if (!/^\d{4}-\d\d-\d\d/.test(date ?? date_time ?? "")) return invalid("custom_field value: Not a recognized date");
    const day = date ?? date_time!.slice(0, 10);
    return { date_value: { date: day, ...(date_time && { date_time }) }, display_value: day };
  },
  multi_enum: (sent) =>
    Array.isArray(sent)
      ? several(sent.map((gid) => optionIn(INTERESTS, gid)))
      : invalid("custom_field value: Not an Array"),
};

/** The fields of a task after a write. */
export function changedFields(before: FieldOfTask[], sent: Record<string, unknown> = {}): FieldOfTask[] {
  for (const gid of Object.keys(sent))
    if (!before.some((one) => one.gid === gid)) invalid(`Custom field with ID ${gid} is not on given object`);
  return before.map((one) => (one.gid in sent ? { ...one, ...READERS[one.type]!(sent[one.gid]) } : one));
}

/** The same fields with a note. */
export const withNote = (before: FieldOfTask[], note: string): FieldOfTask[] =>
  before.length === 0 ? before : changedFields(before, { [NOTE.gid]: note });
