// Contacts by their ID: https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html
import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, reply } from "../../../emulator-kit/emulator.ts";
import { AUTHOR, changedContact, newContact, type State, WRITABLE, type ZohoRecord } from "./data.ts";

/** A write answers with the result of each record. */
const recordReply = (status: number, code: string, message: string, details: object) =>
  reply(status, { data: [{ code, details, message, status: status < 300 ? "success" : "error" }] });

const written = (status: number, message: string, { id, Created_Time, Modified_Time }: ZohoRecord) =>
  recordReply(status, "SUCCESS", message, {
    id,
    Created_Time,
    Modified_Time,
    Created_By: AUTHOR,
    Modified_By: AUTHOR,
  });

const invalidField = (api_name: string, message: string) =>
  recordReply(400, "INVALID_DATA", message, { api_name, json_path: `$.data[0].${api_name}` });

const unknownId = (id: string) => recordReply(404, "INVALID_DATA", "the id given seems to be invalid", { id });

/** What is wrong with the fields of a contact. */
function refusal(fields: Record<string, unknown>, { Accounts }: State): EmulatedReply | undefined {
  const { Last_Name, Account_Name } = fields;
  if (Last_Name === null || Last_Name === "")
    return recordReply(400, "MANDATORY_NOT_FOUND", "required field not found", {
      api_name: "Last_Name",
      json_path: "$.data[0].Last_Name",
    });
  const text = WRITABLE.find((name) => name !== "Account_Name" && typeof (fields[name] ?? "") !== "string");
  if (text) return invalidField(text, "invalid data");
  const account = Account_Name as { id?: unknown } | null | undefined;
  return account && !Accounts.some(({ id }) => id === account.id)
    ? invalidField("Account_Name", "the related id given seems to be invalid")
    : undefined;
}

/** The writable fields that were sent. An account is stored with its name. */
function fieldsOf(sent: { Account_Name?: { id: string } | null }, { Accounts }: State) {
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => WRITABLE.includes(name)));
  const account = Accounts.find(({ id }) => id === sent.Account_Name?.id);
  return account ? { ...fields, Account_Name: { name: account.Account_Name, id: account.id } } : fields;
}

export function createContact({ body }: EmulatedRequest, state: State): EmulatedReply {
  const [sent = {}] = body?.data ?? [];
  const refused = refusal({ Last_Name: null, ...sent }, state);
  if (refused) return refused;
  const created = newContact(100_000 + countWritten(state), fieldsOf(sent, state));
  state.Contacts.unshift(created);
  return written(201, "record added", created);
}

export function updateContact({ body, params }: EmulatedRequest, state: State): EmulatedReply {
  const at = state.Contacts.findIndex(({ id }) => id === params.id);
  if (at < 0) return unknownId(params.id!);
  const [sent = {}] = body?.data ?? [];
  const refused = refusal(sent, state);
  if (refused) return refused;
  const changed = changedContact(state.Contacts[at]!, fieldsOf(sent, state));
  state.Contacts[at] = changed;
  return written(200, "record updated", changed);
}
