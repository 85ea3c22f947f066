import {
  type CategoryImplementation,
  type ContactFields,
  type Context,
  type crm,
  fieldNames,
  get,
  one,
  patch,
  path,
  post,
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
async function written({ upstream, write, select }: Context, request: UpstreamRequest): Promise<HubSpotContact> {
  const { id } = (await write<HubSpotContact>(request)).body;
  const properties = [...CONTACT, ...fieldNames(select, "properties")].join(",");
  return (await upstream<HubSpotContact>(get(path`/crm/v3/objects/contacts/${id}`, { properties }))).body;
}

export const writes: CategoryImplementation<typeof crm.operations> = {
  // https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide
  createContact: one({
    load: (context) =>
      written(
        context,
        post("/crm/v3/objects/contacts", {
          properties: propertiesOf(context.input),
          associations: context.input.company_id
            ? [{ to: { id: context.input.company_id }, types: [PRIMARY_COMPANY] }]
            : [],
        }),
      ),
    record: contactRecord,
  }),
  updateContact: one({
    load: (context) =>
      written(
        context,
        // Associations cannot be changed in the same call, but the property that names the primary company can.
        patch(path`/crm/v3/objects/contacts/${context.input.contact_id}`, {
          properties: { ...propertiesOf(context.input), associatedcompanyid: context.input.company_id },
        }),
      ),
    record: contactRecord,
  }),
};
