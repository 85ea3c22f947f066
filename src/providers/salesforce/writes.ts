import {
  type CategoryImplementation,
  type ContactFields,
  type Context,
  type crm,
  get,
  one,
  patch,
  path,
  post,
} from "../../provider-kit/index.ts";
import { CONTACT, contactRecord, type SalesforceContact } from "./records.ts";

const fieldsOf = ({ email, first_name, last_name, phone, company_id }: ContactFields) => ({
  Email: email,
  FirstName: first_name,
  LastName: last_name,
  Phone: phone,
  AccountId: company_id,
});

/**
 * The response to a new contact has only its ID, and that to a change nothing at all. If custom fields matter, all fields
 * are read: naming one that was deleted would fail.
 */
async function readContact({ upstream, select }: Context, id: string): Promise<SalesforceContact> {
  const query = select.length === 0 ? { fields: CONTACT.join(",") } : {};
  return (await upstream<SalesforceContact>(get(path`/sobjects/Contact/${id}`, query))).body;
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_sobject_create.htm
  createContact: one({
    requires: ["last_name"],
    async load(context) {
      const { id } = (await context.write<{ id: string }>(post("/sobjects/Contact", fieldsOf(context.input)))).body;
      return readContact(context, id);
    },
    record: contactRecord,
  }),
  updateContact: one({
    async load(context) {
      const { input } = context;
      await context.write(patch(path`/sobjects/Contact/${input.contact_id}`, fieldsOf(input)));
      return readContact(context, input.contact_id);
    },
    record: contactRecord,
  }),
};
