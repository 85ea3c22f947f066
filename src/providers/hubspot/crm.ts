import { crm } from "../../categories/crm.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that are read here. A property without a value is null, or missing if it was not requested.
export interface HubSpotContact {
  id: string;
  properties: { email?: string | null; firstname?: string | null; lastname?: string | null };
}
export interface HubSpotPage {
  results: HubSpotContact[];
  /** Absent on the last page. */
  paging?: { next?: { after: string } };
}

export default implement(crm, {
  listContacts: list({
    maxPageSize: 100,
    items: (body: HubSpotPage) => body.results,
    next: ({ body }: { body: HubSpotPage }) => body.paging?.next?.after,
    request: ({ limit, cursor }) =>
      get("/crm/v3/objects/contacts", { properties: "email,firstname,lastname" }, { limit, after: cursor }),
    record: ({ id, properties }: HubSpotContact) =>
      toContact(id, properties.email, joinName(properties.firstname, properties.lastname)),
  }),
});
