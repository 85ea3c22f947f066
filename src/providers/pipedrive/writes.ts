import {
  type CategoryImplementation,
  type ContactFields,
  type Context,
  type crm,
  get,
  invalidInput,
  joinName,
  one,
  patch,
  path,
  post,
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { withLabels } from "./custom-fields.ts";
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

/**
 * A person has one name, which Pipedrive splits itself: https://developers.pipedrive.com/docs/api/v1/Persons#addPerson
 * Of several words in one half, some may have been written as the other one, and would be lost with it.
 */
function nameOf({ first_name, last_name }: ContactFields, known: Partial<PipedrivePerson>): string | undefined {
  if (first_name === undefined && last_name === undefined) return undefined;
  const missing = first_name === undefined ? "first_name" : last_name === undefined ? "last_name" : undefined;
  const replaced = (missing === "first_name" ? known.last_name : known.first_name)?.trim() ?? "";
  if (missing && /\s/.test(replaced)) {
    const message = `is needed too: Pipedrive splits names itself, and "${replaced}" may contain a part of it`;
    throw invalidInput({ path: ["body", missing], message });
  }
  return joinName(first_name ?? known.first_name, last_name ?? known.last_name);
}

const personOf = (input: ContactFields, known: Partial<PipedrivePerson> = {}) => ({
  name: nameOf(input, known),
  emails: withMain(known.emails, input.email),
  phones: withMain(known.phones, input.phone),
  org_id: organizationId(input.company_id),
});

type PersonAnswer = { data: PipedrivePerson };

/** The response to a write has no names of options, so that a person with custom fields is read again. */
async function written({ upstream, write, select }: Context, request: UpstreamRequest): Promise<PersonAnswer> {
  const { body } = await write<PersonAnswer>(request);
  if (select.length === 0) return body;
  return (await upstream<PersonAnswer>(get(path`/persons/${body.data.id}`, withLabels({ select })))).body;
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  createContact: one({
    load(context) {
      const { input } = context;
      const person = personOf(input);
      if (!person.name) {
        const message = "is required by Pipedrive, unless there is a `first_name`";
        throw invalidInput({ path: ["body", "last_name"], message });
      }
      return written(context, post("/persons", person));
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
    original: ({ data }: PersonAnswer) => data,
  }),
  // A change replaces the whole name and all email addresses or phone numbers, so those that stay are sent again.
  updateContact: one({
    async load(context) {
      const { input, upstream } = context;
      const address = path`/persons/${input.contact_id}`;
      const { data } = (await upstream<PersonAnswer>(get(address))).body;
      return written(context, patch(address, personOf(input, data)));
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
    original: ({ data }: PersonAnswer) => data,
  }),
};
