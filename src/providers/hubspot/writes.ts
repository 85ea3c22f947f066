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
  type UpstreamRequest,
} from "../../provider-kit/index.ts";
import { CONTACT, contactRecord, type HubSpotContact } from "./records.ts";

const propertiesOf = ({ email, first_name, last_name, phone }: ContactFields) => ({
  email,
  firstname: first_name,
  lastname: last_name,
  phone,
});

/** The type of the association with the primary company, which is the one that contacts are listed with. */
const PRIMARY_COMPANY = { associationCategory: "HUBSPOT_DEFINED", associationTypeId: 1 };

/** Writes a contact and reads it again: the response to a write has only some of the properties. */
async function written(upstream: Upstream, request: UpstreamRequest): Promise<HubSpotContact> {
  const { id } = (await upstream<HubSpotContact>(request)).body;
  return (await upstream<HubSpotContact>(get(path`/crm/v3/objects/contacts/${id}`, { properties: CONTACT.join(",") })))
    .body;
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide
  createContact: one({
    load: ({ input, upstream }) =>
      written(
        upstream,
        post("/crm/v3/objects/contacts", {
          properties: propertiesOf(input),
          associations: input.company_id ? [{ to: { id: input.company_id }, types: [PRIMARY_COMPANY] }] : [],
        }),
      ),
    record: contactRecord,
  }),
  updateContact: one({
    load: ({ input, upstream }) =>
      written(
        upstream,
        // Associations cannot be changed in the same call, but the property that names the primary company can.
        patch(path`/crm/v3/objects/contacts/${input.contact_id}`, {
          properties: { ...propertiesOf(input), associatedcompanyid: input.company_id },
        }),
      ),
    record: contactRecord,
  }),
};
