// People that clients write: https://docs.attio.com/rest-api/endpoint-reference/records/create-a-record
import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changedPerson, newPerson, type Person, type PersonInput, type State } from "./data.ts";
import { errorReply, failure, invalid } from "./errors.ts";

const WRITABLE = ["name", "email_addresses", "phone_numbers", "company"];

const isName = (name: Record<string, unknown>) =>
  ["first_name", "last_name", "full_name"].every((part) => typeof name[part] === "string");
const isReference = (value: Record<string, unknown>) =>
  value.target_object === "companies" && typeof value.target_record_id === "string";
const isText = (value: unknown) => typeof value === "string";

/** The values that a client sent, or why they are refused. */
function readValues({ body }: EmulatedRequest, state: State, own?: Person): PersonInput | EmulatedReply {
  const { values } = body?.data ?? {};
  if (typeof values !== "object" || values === null) return invalid("Body payload validation error.");
  const unknown = Object.keys(values).find((attribute) => !WRITABLE.includes(attribute));
  if (unknown) return invalid(`Cannot find attribute with slug/ID "${unknown}".`);
  if (!Object.values(values).every(Array.isArray)) return invalid("Multiselect attributes expect an array.");
  const { name = [], email_addresses = [], phone_numbers = [], company = [] } = values;
  if (name.length > 1 || !name.every(isName)) return invalid('An invalid value was passed to attribute "name".');
  if (!email_addresses.every(isText)) return invalid('An invalid value was passed to attribute "email_addresses".');
  // Without its country code, a number is ambiguous.
  if (!phone_numbers.every((number: unknown) => isText(number) && /^\+[\d ()/-]{5,}$/.test(number as string)))
    return invalid('An invalid value was passed to attribute "phone_numbers".');
  if (company.length > 1 || !company.every(isReference))
    return invalid('An invalid value was passed to attribute "company".');
  const [reference] = company;
  if (reference && !state.companies.some(({ id }) => id.record_id === reference.target_record_id))
    return errorReply(400, [
      "invalid_request_error",
      "value_not_found",
      `Record with ID "${reference.target_record_id}" not found.`,
    ]);
  const taken = email_addresses.find((address: string) => isTaken(address, state, own));
  return taken ? conflict(taken) : values;
}

/** An email address belongs to one person. */
const isTaken = (address: string, { people }: State, own?: Person) =>
  people.some(
    (person) => person !== own && person.values.email_addresses.some(({ email_address }) => email_address === address),
  );
const conflict = (email_address: string) =>
  errorReply(400, [
    "invalid_request_error",
    "uniqueness_conflict",
    `The value "${JSON.stringify({ email_address })}" provided for attribute with slug "email_addresses" conflicts with one already in the system.`,
  ]);

const findPerson = ({ params }: EmulatedRequest, { people }: State) =>
  people.find(({ id }) => id.record_id === params.record);

export function readPerson(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findPerson(request, state);
  return found ? reply(200, { data: found }) : failure(404);
}

export function createPerson(request: EmulatedRequest, state: State): EmulatedReply {
  const values = readValues(request, state);
  if (isReply(values)) return values;
  const created = newPerson(100_000 + countWritten(state), values);
  state.people.push(created);
  return reply(200, { data: created });
}

/** Replaces all values of the attributes that are given. */
export function updatePerson(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findPerson(request, state);
  if (!found) return failure(404);
  const values = readValues(request, state, found);
  if (isReply(values)) return values;
  const changed = changedPerson(found, values);
  state.people[state.people.indexOf(found)] = changed;
  return reply(200, { data: changed });
}
