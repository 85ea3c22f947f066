// https://developer.atlassian.com/cloud/trello/guides/rest-api/getting-started-with-custom-fields/
import {
  customFields,
  customSample,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";

const fieldId = (nth: number) => `5f00000000000000000002${String(nth).padStart(2, "0")}`;
const optionId = (index: number) => `5f00000000000000000003${String(index).padStart(2, "0")}`;

const TIERS = customFields.tier.choices.map((text, index) => ({
  id: optionId(index),
  idCustomField: fieldId(1),
  value: { text },
  color: "none",
  pos: 16_384 * (index + 1),
}));

/** The fields of a board. There is no type for several values. */
export const fieldsOf = (idModel: string) =>
  [
    { name: customFields.tier.label, type: "list", options: TIERS },
    { name: customFields.note.label, type: "text" },
    { name: customFields.score.label, type: "number" },
    { name: customFields.is_vip.label, type: "checkbox" },
    { name: customFields.renews_on.label, type: "date" },
  ].map((field, index) => ({
    id: fieldId(index + 1),
    idModel,
    modelType: "board",
    fieldGroup: "f6177ba6839d6fff0f73922c1cea105e793fda8a1433d466104dacc0b7c56955",
    display: { cardFront: true },
    pos: 16_384 * (index + 1),
    ...field,
  }));

type Value = { text: string } | { number: string } | { checked: string } | { date: string };
const item = (nth: number, idModel: string, value: Value | null, idValue?: string) => ({
  id: `${idModel.slice(0, 22)}${String(nth).padStart(2, "0")}`,
  value,
  ...(idValue && { idValue }),
  idCustomField: fieldId(nth),
  idModel,
  modelType: "card",
});
type FieldItem = ReturnType<typeof item>;

/** The values of a card: all are texts, and an empty field has none. */
export function ownItems(index: number, card: string): FieldItem[] {
  const { tier, note, score, is_vip, renews_on } = customSample(index);
  const option = TIERS.find(({ value }) => value.text === tier);
  return [
    ...(option ? [item(1, card, null, option.id)] : []),
    ...(note === null ? [] : [item(2, card, { text: note })]),
    ...(score === null ? [] : [item(3, card, { number: String(score) })]),
    ...(is_vip === null ? [] : [item(4, card, { checked: String(is_vip) })]),
    ...(renews_on === null ? [] : [item(5, card, { date: new Date(renews_on).toISOString() })]),
  ];
}

export const withNote = (card: string, items: FieldItem[], text: string): FieldItem[] => [
  ...items.filter(({ idCustomField }) => idCustomField !== fieldId(2)),
  item(2, card, { text }),
];

const invalid = (name: string) => refuse(reply(400, `invalid value for ${name}`));

const KEYS: Record<string, string> = { text: "text", number: "number", checkbox: "checked", date: "date" };
const VALID: Record<string, RegExp> = {
  text: /./,
  number: /^-?[\d.]+$/,
  checkbox: /^(?:true|false)$/,
  date: /^\d{4}-\d\d-\d\dT/,
};

/** Writes the value of a field; empty ones clear it. */
export function setItem(
  card: { id: string; idBoard: string; customFieldItems: FieldItem[]; dateLastActivity: string | null },
  { params, body = {} }: EmulatedRequest,
): EmulatedReply {
  const field = fieldsOf(card.idBoard).find(({ id }) => id === params.field);
  if (!field) return reply(404, "The requested resource was not found.");
  const { value, idValue } = body;
  const nth = Number(field.id.slice(-2));
  const others = card.customFieldItems.filter(({ idCustomField }) => idCustomField !== field.id);
  card.dateLastActivity = new Date().toISOString();
  if (!value && !idValue) {
    card.customFieldItems = others;
    return reply(200, item(nth, card.id, null));
  }
  if (
    field.type === "list"
      ? !TIERS.some(({ id }) => id === idValue)
      : !VALID[field.type]!.test(value?.[KEYS[field.type]!])
  )
    return invalid("custom field item");
  const written = field.type === "list" ? item(nth, card.id, null, idValue) : item(nth, card.id, value);
  card.customFieldItems = [...others, written];
  return reply(200, written);
}
