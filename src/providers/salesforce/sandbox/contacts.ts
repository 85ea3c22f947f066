// Contacts by their ID: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_retrieve.htm
import {
  collection,
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { changeContact, newContact, type State, WRITABLE } from "./data.ts";
import { errorReply, failure } from "./errors.ts";
import { checkOwn } from "./fields.ts";
import type { Row } from "./soql.ts";

const refuseField = (code: string, message: string, field: string) => refuse(errorReply(400, code, message, [field]));

/** The fields that a client sent. */
function checked(fields: Row, { Account }: State): Row {
  const { LastName, AccountId } = fields;
  const unknown = Object.keys(fields).find((name) => !WRITABLE.includes(name));
  if (unknown) refuseField("INVALID_FIELD", `No such column '${unknown}' on sobject of type Contact`, unknown);
  checkOwn(fields);
  if (LastName === null || LastName === "")
    refuseField("REQUIRED_FIELD_MISSING", "Required fields are missing: [LastName]", "LastName");
  if (AccountId && !/^[a-z0-9]{15}(?:[a-z0-9]{3})?$/i.test(String(AccountId)))
    refuseField("MALFORMED_ID", `Account ID: id value of incorrect type: ${AccountId}`, "AccountId");
  if (AccountId && !Account.some(({ Id, IsDeleted }) => Id === AccountId && !IsDeleted))
    refuseField("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", "AccountId");
  return fields;
}

const contacts = collection({
  items: ({ Contact }: State) => Contact,
  names: ({ Id, IsDeleted }) => (IsDeleted ? [] : [Id]),
  notFound: () => failure(404),
  show(contact, { query, path }) {
    const names = query.get("fields")?.split(",") ?? Object.keys(contact);
    const unknown = names.find((name) => !Object.hasOwn(contact, name));
    if (unknown) refuseField("INVALID_FIELD", `No such column '${unknown}' on entity 'Contact'.`, unknown);
    const fields = Object.fromEntries([...names, "Id"].map((name) => [name, contact[name]]));
    return { attributes: { type: "Contact", url: path }, ...fields };
  },
});

export const readContact = contacts.get;

export function createContact({ body }: EmulatedRequest, state: State): EmulatedReply {
  const created = newContact(1_000 + countWritten(state), checked({ LastName: null, ...body }, state));
  state.Contact.push(created);
  return reply(201, { id: created.Id, success: true, errors: [] });
}

export const updateContact = contacts.below((contact, { body }, state) => {
  changeContact(contact, checked({ ...body }, state));
  return reply(204);
});
