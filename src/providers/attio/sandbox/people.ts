// People that clients write: https://docs.attio.com/rest-api/endpoint-reference/records/create-a-record
import { countWritten, type EmulatedRequest, refuse } from "../../../emulator-kit/index.ts";
import { WRITABLE_OWN } from "./attributes.ts";
import { newPerson, type Person, type PersonInput, personValues, type State } from "./data.ts";
import { invalid } from "./errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: a client may send anything
type Sent = any;

/** The attributes that can be written, and whether their values are valid. */
const WRITABLE: Record<string, (values: Sent[]) => boolean> = {
  name: (names) =>
    names.length < 2 &&
    names.every((name) => ["first_name", "last_name", "full_name"].every((part) => typeof name[part] === "string")),
  email_addresses: (addresses) => addresses.every((address) => typeof address === "string"),
  // Without its country code, a number is ambiguous.
  phone_numbers: (numbers) => numbers.every((number) => /^\+[\d ()/-]{5,}$/.test(number)),
  company: (companies) => companies.length < 2 && companies.every(({ target_object }) => target_object === "companies"),
  ...WRITABLE_OWN,
};

/** The values that a client sent. */
function readValues({ body }: EmulatedRequest, { companies, people }: State, own?: Person): PersonInput {
  const { values = refuse(invalid("Body payload validation error.")) } = body?.data ?? {};
  for (const [attribute, sent] of Object.entries(values)) {
    if (!WRITABLE[attribute]) refuse(invalid(`Cannot find attribute with slug/ID "${attribute}".`));
    if (!Array.isArray(sent) || !WRITABLE[attribute](sent))
      refuse(invalid(`An invalid value was passed to attribute "${attribute}".`));
  }
  const { company: [reference] = [], email_addresses = [] } = values;
  if (reference && !companies.some(({ id }) => id.record_id === reference.target_record_id))
    refuse(invalid(`Record with ID "${reference.target_record_id}" not found.`, "value_not_found"));
  // An email address belongs to one person.
  const others = people.filter((person) => person !== own).flatMap(({ values }) => values.email_addresses);
  const taken = others.find(({ email_address }) => email_addresses.includes(email_address));
  if (taken)
    refuse(
      invalid(
        `The value "${JSON.stringify({ email_address: taken.email_address })}" provided for attribute with slug "email_addresses" conflicts with one already in the system.`,
        "uniqueness_conflict",
      ),
    );
  return values;
}

export const createPerson = (request: EmulatedRequest, state: State) =>
  newPerson(100_000 + countWritten(state), readValues(request, state));

/** Replaces all values of the attributes that are given. */
export const updatePerson = (person: Person, request: EmulatedRequest, state: State) => ({
  values: { ...person.values, ...personValues(readValues(request, state, person)) },
});
