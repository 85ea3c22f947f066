import {
  type CustomFieldSource,
  chosen,
  customProblem,
  type DescribedField,
  fieldNames,
  get,
  path,
  pointerTo,
  type Upstream,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface Field {
  id: string;
  name: string;
  type: string;
  options?: { id: string; value: { text: string } }[];
}
/** The value of a field of a card. There is none if the field is empty. */
export interface TrelloFieldItem {
  idCustomField: string;
  /** A text, also if it is a number or a boolean, under the name of its type. */
  value?: { text?: string; number?: string; date?: string; checked?: string } | null;
  /** The option of a dropdown. */
  idValue?: string | null;
  /** The text of that option, which Trello does not send. */
  option?: string;
}
interface WithFieldItems {
  idBoard?: string;
  customFieldItems?: TrelloFieldItem[];
}

/** The texts of options, by their IDs. */
export type TrelloOptions = ReadonlyMap<string, string>;

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/getting-started-with-custom-fields/ */
const TYPES: Record<string, DescribedField["type"]> = {
  text: "string",
  number: "number",
  checkbox: "boolean",
  date: "date",
  list: "string",
};

export const asksForFields = (select: readonly string[]): boolean => fieldNames(select, "customFieldItems").length > 0;

/** What has to be asked for besides the fields of a card. */
export const fieldItemsQuery = (select: readonly string[]): { customFieldItems?: true } =>
  asksForFields(select) ? { customFieldItems: true } : {};

export const readFields = async (board: string, upstream: Upstream): Promise<Field[]> =>
  (await upstream<Field[]>(get(path`/boards/${board}/customFields`))).body;

const optionsOf = (fields: readonly Field[]): [string, string][] =>
  fields.flatMap(({ options = [] }) => options.map(({ id, value }): [string, string] => [id, value.text]));

export const readOptions = async (board: string, upstream: Upstream): Promise<TrelloOptions> =>
  new Map(optionsOf(await readFields(board, upstream)));

/** The card with the texts of its options. */
export function withOptions<Card extends WithFieldItems | null>(card: Card, options: TrelloOptions | undefined): Card {
  if (!card?.customFieldItems || !options) return card;
  const customFieldItems = card.customFieldItems.map((item) => {
    const option = options.get(item.idValue ?? "");
    return option === undefined ? item : { ...item, option };
  });
  return { ...card, customFieldItems };
}

const toField = ({ id, name, type, options }: Field): DescribedField => ({
  path: pointerTo("customFieldItems", id),
  label: name,
  type: TYPES[type] ?? null,
  custom: true,
  kind: type,
  ...(options && { choices: options.map((option) => ({ id: option.id, label: option.value.text })) }),
});

const valueIn = ({ option, value }: TrelloFieldItem): unknown =>
  option ?? value?.text ?? value?.number ?? value?.date ?? value?.checked;

/** The body of a write. */
type Change = Record<string, unknown>;
export type FieldChange = [field: string, change: Change];

/** All values are texts under the name of their type, except for options. */
function toValue(field: WrittenField): Change {
  const { value, described } = field;
  if (value === null) return { value: "", idValue: "" };
  switch (described?.kind) {
    case "list":
      return { idValue: chosen(field, String(value)).id };
    case "date":
      return { value: { date: new Date(String(value)).toISOString() } };
    case "checkbox":
      return { value: { checked: String(value) } };
    default:
      return { value: { [described?.kind ?? "text"]: String(value) } };
  }
}

/** What is written, by the ID of the field. */
export function fieldChanges(written: readonly WrittenField[], known: readonly Field[]): FieldChange[] {
  const described = new Map(known.map((field) => [pointerTo("customFieldItems", field.id), toField(field)]));
  const changes = writeTo(written, ["customFieldItems"], (field) => {
    if (!described.has(field.path)) throw customProblem(field, "cannot be set: the board has no such custom field");
    return toValue({ ...field, described: described.get(field.path) });
  });
  return Object.entries(changes) as FieldChange[];
}

/** Each board is a call. */
const MAX_BOARDS = 50;

/** Every board has fields of its own. */
export const customFields: CustomFieldSource = {
  named: { "/customFieldItems": { key: "idCustomField", value: valueIn } },
  async describe({ upstream }) {
    const request = get("/members/me/boards", { filter: "open", fields: "name" });
    const { body } = await upstream<{ id: string }[]>(request);
    const found: DescribedField[] = [];
    for (const { id } of body.slice(0, MAX_BOARDS)) found.push(...(await readFields(id, upstream)).map(toField));
    return found;
  },
  writesItself: true,
};
