// Contacts that clients write: https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html
import { countWritten, type EmulatedRequest, refuse, reply, sentFields } from "../../../emulator-kit/index.ts";
import { AUTHOR, changedContact, newContact, type State, WRITABLE, type ZohoRecord } from "./data.ts";
import { isValid, OWN_FIELDS } from "./fields.ts";

/** A write answers with the result of each record. */
const recordReply = (status: number, code: string, message: string, details: object) =>
  reply(status, { data: [{ code, details, message, status: status < 300 ? "success" : "error" }] });

const written = (status: number, message: string, { id, Created_Time, Modified_Time }: ZohoRecord) =>
  recordReply(status, "SUCCESS", message, {
    ...{ id, Created_Time, Modified_Time },
    Created_By: AUTHOR,
    Modified_By: AUTHOR,
  });

const refuseField = (api_name: string, code: string, message: string) =>
  refuse(recordReply(400, code, message, { api_name, json_path: `$.data[0].${api_name}` }));

export const unknownId = ({ params: { id } }: EmulatedRequest) =>
  recordReply(404, "INVALID_DATA", "the id given seems to be invalid", { id });

/** The writable fields that were sent. An account is stored with its name. */
function readFields({ body }: EmulatedRequest, { Accounts }: State, known: object = {}): object {
  const { Account_Name, ...fields } = sentFields(body?.data?.[0], WRITABLE);
  const { Last_Name } = { ...known, ...fields };
  if (!Last_Name) refuseField("Last_Name", "MANDATORY_NOT_FOUND", "required field not found");
  const invalid = Object.keys(fields).find((name) =>
    OWN_FIELDS.includes(name) ? !isValid(name, fields[name]) : typeof (fields[name] ?? "") !== "string",
  );
  if (invalid) refuseField(invalid, "INVALID_DATA", "invalid data");
  if (!Account_Name) return fields;
  const account = Accounts.find(({ id }) => id === Account_Name.id);
  if (!account) return refuseField("Account_Name", "INVALID_DATA", "the related id given seems to be invalid");
  return { ...fields, Account_Name: { name: account.Account_Name, id: account.id } };
}

export function createContact(request: EmulatedRequest, state: State) {
  const created = newContact(100_000 + countWritten(state), readFields(request, state));
  state.Contacts.unshift(created);
  return written(201, "record added", created);
}

export function updateContact(contact: ZohoRecord, request: EmulatedRequest, state: State) {
  Object.assign(contact, changedContact(contact, readFields(request, state, contact)));
  return written(200, "record updated", contact);
}
