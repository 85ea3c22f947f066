import {
  type CategoryImplementation,
  type ContactFields,
  type crm,
  get,
  one,
  path,
  post,
  put,
  type Upstream,
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { CONTACT, contactRecord, withTimes, type ZohoContact } from "./records.ts";

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
async function written(upstream: Upstream, request: UpstreamRequest): Promise<ZohoContact> {
  const answer = await upstream<{ data: [{ details: { id: string } }] }>(request);
  const address = path`/Contacts/${answer.body.data[0].details.id}`;
  return (await upstream<{ data: [ZohoContact] }>(get(address, withTimes(CONTACT)))).body.data[0];
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html
  createContact: one({
    requires: ["last_name"],
    async load({ input, upstream }) {
      return written(upstream, post("/Contacts", fieldsOf(input)));
    },
    record: contactRecord,
  }),
  // https://www.zoho.com/crm/developer/docs/api/v8/update-specific-record.html
  updateContact: one({
    load: ({ input, upstream }) => written(upstream, put(path`/Contacts/${input.contact_id}`, fieldsOf(input))),
    record: contactRecord,
  }),
};
