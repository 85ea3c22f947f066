import {
  type CategoryImplementation,
  type ContactFields,
  type Context,
  type crm,
  get,
  one,
  path,
  post,
  put,
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { withFields } from "./custom-fields.ts";
import { CONTACT, contactRecord, type ZohoContact } from "./records.ts";

const fieldsOf = ({ email, first_name, last_name, phone, company_id }: ContactFields) => ({
  data: [
    {
      Email: email,
      First_Name: first_name,
      Last_Name: last_name,
      Phone: phone,
      Account_Name: company_id && { id: company_id },
    },
  ],
});

/** Writes a contact and reads it: the response to a write has only its ID. */
async function written({ upstream, write, select }: Context, request: UpstreamRequest): Promise<ZohoContact> {
  const answer = await write<{ data: [{ details: { id: string } }] }>(request);
  const address = path`/Contacts/${answer.body.data[0].details.id}`;
  return (await upstream<{ data: [ZohoContact] }>(get(address, withFields(CONTACT, select)))).body.data[0];
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html
  createContact: one({
    requires: ["last_name"],
    load: (context) => written(context, post("/Contacts", fieldsOf(context.input))),
    record: contactRecord,
  }),
  // https://www.zoho.com/crm/developer/docs/api/v8/update-specific-record.html
  updateContact: one({
    load: (context) => written(context, put(path`/Contacts/${context.input.contact_id}`, fieldsOf(context.input))),
    record: contactRecord,
  }),
};
