import { type Contact, crm } from "../../contracts/crm.ts";
import { get } from "../../contracts/http.ts";
import { implement } from "../../contracts/provider.ts";

// Only what is read here; a property that a contact lacks is null, or missing where it was not asked for.
export interface HubSpotContact {
  id: string;
  properties: { email?: string | null; firstname?: string | null; lastname?: string | null };
}
export interface HubSpotPage {
  results: HubSpotContact[];
  /** Absent on the last page. */
  paging?: { next?: { after: string } };
}

/** A contact may have no name at all: then it goes by its e-mail address, else by its id. */
export function toContact({ id, properties }: HubSpotContact): Contact {
  const email = properties.email?.trim() || null;
  const name = [properties.firstname, properties.lastname].map((part) => part?.trim()).filter(Boolean);
  return { id, name: name.join(" ") || email || id, email };
}

export default implement(crm, {
  listContacts: {
    page: 100,
    request: ({ limit, cursor }) =>
      get("/crm/v3/objects/contacts", { properties: "email,firstname,lastname" }, { limit, after: cursor }),
    items: (body: HubSpotPage) => body.results,
    next: ({ body }: { body: HubSpotPage }) => body.paging?.next?.after,
    record: toContact,
  },
});
