import {
  type CategoryImplementation,
  type ContactFields,
  type crm,
  get,
  invalidInput,
  joinName,
  one,
  patch,
  path,
  post,
} from "../../provider-kit/index.ts";
import { contactRecord, mainOf, type PipedrivePerson, type Values } from "./records.ts";

/** The values with another main one; the others stay. */
function withMain(values: Values | undefined, value: string | undefined): Values | undefined {
  if (value === undefined) return undefined;
  const main = mainOf(values);
  if (!main) return [{ value, primary: true, label: "work" }];
  return values?.map((one) => (one === main ? { ...one, value, primary: true } : one));
}

/** Organizations have numbers. Anything else would be sent as null, which removes the person from its organization. */
function organizationId(company: string | undefined): number | undefined {
  if (company === undefined) return undefined;
  if (/^\d{1,15}$/.test(company)) return Number(company);
  throw invalidInput({ path: ["body", "company_id"], message: "must be an `id` from GET /v1/crm/companies" });
}

/** A person has one name, which Pipedrive splits itself: https://developers.pipedrive.com/docs/api/v1/Persons#addPerson */
const personOf = (input: ContactFields, known: Partial<PipedrivePerson> = {}) => ({
  name:
    (input.first_name ?? input.last_name) === undefined
      ? undefined
      : joinName(input.first_name ?? known.first_name, input.last_name ?? known.last_name),
  emails: withMain(known.emails, input.email),
  phones: withMain(known.phones, input.phone),
  org_id: organizationId(input.company_id),
});

type PersonAnswer = { data: PipedrivePerson };

export const writes: CategoryImplementation<typeof crm.operations> = {
  createContact: one({
    request({ input }) {
      const person = personOf(input);
      if (!person.name) {
        const message = "is required by Pipedrive, unless there is a `first_name`";
        throw invalidInput({ path: ["body", "last_name"], message });
      }
      return post("/persons", person);
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
  }),
  // A change replaces the whole name and all email addresses or phone numbers, so those that stay are sent again.
  updateContact: one({
    async load({ input, upstream }) {
      const address = path`/persons/${input.contact_id}`;
      const { data } = (await upstream<PersonAnswer>(get(address))).body;
      return (await upstream<PersonAnswer>(patch(address, personOf(input, data)))).body;
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
  }),
};
