// Custom fields, which come with their configuration: https://developer.clickup.com/docs/customfields
import {
  customFields,
  customSample,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
  uuid,
} from "../../../emulator-kit/index.ts";
import { errorReply } from "./errors.ts";

const field = (nth: number, name: string, type: string, type_config: object = {}) => ({
  id: uuid(4_000 + nth),
  name,
  type,
  type_config,
  date_created: "1617765143523",
  hide_from_guests: false,
  required: false,
});

const option = (first: number) => (name: string, orderindex: number) => ({
  id: uuid(4_100 + first + orderindex),
  name,
  color: null,
  orderindex,
});
const TIERS = customFields.tier.choices.map(option(0));
const INTERESTS = customFields.interests.choices
  .map(option(10))
  .map(({ id, name, color }) => ({ id, label: name, color }));

const [TIER, NOTE, SCORE, VIP, RENEWS_ON, SEVERAL] = [
  field(1, customFields.tier.label, "drop_down", { placeholder: null, options: TIERS }),
  field(2, customFields.note.label, "short_text"),
  field(3, customFields.score.label, "number"),
  field(4, customFields.is_vip.label, "checkbox"),
  field(5, customFields.renews_on.label, "date"),
  field(6, customFields.interests.label, "labels", { options: INTERESTS }),
] as const;
export const FIELDS = [TIER, NOTE, SCORE, VIP, RENEWS_ON, SEVERAL];
interface FieldOfTask extends ReturnType<typeof field> {
  /** Missing if the field is empty. */
  value?: unknown;
}

/** A field of a list as its endpoint shows it. */
export const listed = ({ required: _, ...rest }: (typeof FIELDS)[number]) => rest;

const withValue = (of: FieldOfTask, value: unknown): FieldOfTask => {
  const { value: _, ...empty } = of;
  return value === null ? empty : { ...empty, value };
};

/** The fields of a task: numbers and times are texts. */
export function ownFields(index: number): FieldOfTask[] {
  const { tier, note, score, is_vip, renews_on, interests } = customSample(index);
  const chosen = INTERESTS.filter(({ label }) => interests.includes(label)).map(({ id }) => id);
  return [
    withValue(TIER, TIERS.find(({ name }) => name === tier)?.orderindex ?? null),
    withValue(NOTE, note),
    withValue(SCORE, score === null ? null : String(score)),
    withValue(VIP, is_vip === null ? null : String(is_vip)),
    withValue(RENEWS_ON, renews_on && String(Date.parse(renews_on))),
    withValue(SEVERAL, chosen.length > 0 ? chosen : null),
  ];
}

const invalid = () => refuse(errorReply(400, "Value is not valid", "FIELD_011"));

const READERS: Record<string, (sent: unknown) => unknown> = {
  drop_down: (sent) => (TIERS.find(({ id }) => id === sent) ?? invalid()).orderindex,
  short_text: (sent) => (typeof sent === "string" ? sent : invalid()),
  number: (sent) => (typeof sent === "number" ? String(sent) : invalid()),
  checkbox: (sent) => (typeof sent === "boolean" ? String(sent) : invalid()),
  date: (sent) => (Number.isInteger(sent) ? String(sent) : invalid()),
  labels: (sent) =>
    Array.isArray(sent) && sent.every((one) => INTERESTS.some(({ id }) => id === one)) ? sent : invalid(),
};

/** The fields after one was written, or emptied by null. */
export const changedField = (before: FieldOfTask[], id: string, sent: unknown): FieldOfTask[] =>
  before.some((one) => one.id === id)
    ? before.map((one) => (one.id === id ? withValue(one, sent === null ? null : READERS[one.type]!(sent)) : one))
    : refuse(errorReply(404, "Field not found", "FIELD_001"));

export const withNote = (before: FieldOfTask[], note: string): FieldOfTask[] =>
  before.length === 0 ? before : changedField(before, NOTE.id, note);

export const noValues = (): FieldOfTask[] => FIELDS.map((one) => ({ ...one }));

interface WithFields {
  custom_fields: FieldOfTask[];
  date_updated: string;
}

export const setField =
  (isSet: boolean) =>
  (task: WithFields, { params, body }: EmulatedRequest): EmulatedReply => {
    task.custom_fields = changedField(task.custom_fields, params.field!, isSet ? (body?.value ?? null) : null);
    task.date_updated = String(Date.now());
    return reply(200, {});
  };
