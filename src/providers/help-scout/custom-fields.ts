import {
  type CustomFieldSource,
  chosen,
  type DescribedField,
  get,
  path,
  pointerTo,
  utcDay,
  type WrittenField,
  writeTo,
} from "../../provider-kit/index.ts";

// Only the fields that are read.
interface Inbox {
  id: number;
  name: string;
}
interface InboxField {
  id: number;
  name: string;
  type: string;
  options?: { id: number; label: string }[] | null;
}
/** What a conversation has. For a dropdown, the value is the ID of the option, and the text its name. */
export interface FieldValue {
  id: number;
  value?: string | null;
  text?: string | null;
}
interface Embedded<Content> {
  _embedded?: Partial<Content> | null;
}

/** https://developer.helpscout.com/mailbox-api/endpoints/mailboxes/mailbox-fields/ */
const TYPES: Record<string, DescribedField["type"]> = {
  singleline: "string",
  multiline: "string",
  dropdown: "string",
  number: "number",
  date: "date",
};

const kindOf = (type: string) => type.toLowerCase().replaceAll("_", "");

const toField = ({ id, name, type, options }: InboxField, inbox: Inbox | undefined): DescribedField => ({
  path: pointerTo("customFields", String(id)),
  label: inbox ? `${name} (${inbox.name})` : name,
  type: TYPES[kindOf(type)] ?? null,
  custom: true,
  kind: kindOf(type),
  ...(kindOf(type) === "dropdown" && {
    choices: (options ?? []).map((option) => ({ id: String(option.id), label: option.label })),
  }),
});

/** How many inboxes are asked for their fields. */
const MAX_INBOXES = 20;

/** Each inbox has fields of its own. */
export const conversationFields: CustomFieldSource = {
  named: { "/customFields": { key: "id", value: ({ value, text }: FieldValue) => text ?? value } },
  async describe({ upstream }) {
    const { body } = await upstream<Embedded<{ mailboxes: Inbox[] }>>(get("/mailboxes"));
    const inboxes = (body._embedded?.mailboxes ?? []).slice(0, MAX_INBOXES);
    const described: DescribedField[] = [];
    for (const inbox of inboxes) {
      const answer = await upstream<Embedded<{ fields: InboxField[] }>>(get(path`/mailboxes/${inbox.id}/fields`));
      for (const field of answer.body._embedded?.fields ?? [])
        described.push(toField(field, inboxes.length > 1 ? inbox : undefined));
    }
    return described;
  },
  writesItself: true,
};

/** All values are text. */
function toValue(field: WrittenField): string | null {
  const { value, described } = field;
  if (value === null) return null;
  if (described?.choices) return chosen(field, String(value)).id;
  return described?.kind === "date" ? (utcDay(String(value)) ?? null) : String(value);
}

/**
 * All custom fields of a conversation after a write: those that are left out are removed.
 * https://developer.helpscout.com/mailbox-api/endpoints/conversations/custom_fields/update/
 */
export function withWritten(known: readonly FieldValue[], written: readonly WrittenField[]): FieldValue[] {
  const values = writeTo(written, ["customFields"], toValue) as Record<string, string | null>;
  const kept = known.filter(({ id }) => !Object.hasOwn(values, String(id))).map(({ id, value }) => ({ id, value }));
  const added = Object.entries(values).flatMap(([id, value]) => (value === null ? [] : [{ id: Number(id), value }]));
  return [...kept, ...added] as FieldValue[];
}
