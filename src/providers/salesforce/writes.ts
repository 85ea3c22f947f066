import {
  type CategoryImplementation,
  type ContactFields,
  type crm,
  get,
  one,
  patch,
  path,
  post,
  type Upstream,
} from "../../provider-kit/index.ts";
import { CONTACT, contactRecord, type SalesforceContact } from "./records.ts";

const fieldsOf = ({ email, first_name, last_name, phone, company_id }: ContactFields) => ({
  Email: email,
  FirstName: first_name,
  LastName: last_name,
  Phone: phone,
  AccountId: company_id,
});

/** The response to a new contact has only its ID, and that to a change nothing at all. */
async function readContact(upstream: Upstream, id: string): Promise<SalesforceContact> {
  return (await upstream<SalesforceContact>(get(path`/sobjects/Contact/${id}`, { fields: CONTACT.join(",") }))).body;
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_sobject_create.htm
  createContact: one({
    requires: ["last_name"],
    async load({ input, upstream }) {
      const { id } = (await upstream<{ id: string }>(post("/sobjects/Contact", fieldsOf(input)))).body;
      return readContact(upstream, id);
    },
    record: contactRecord,
  }),
  updateContact: one({
    async load({ input, upstream }) {
      await upstream(patch(path`/sobjects/Contact/${input.contact_id}`, fieldsOf(input)));
      return readContact(upstream, input.contact_id);
    },
    record: contactRecord,
  }),
};
