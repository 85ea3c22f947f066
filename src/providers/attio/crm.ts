import { crm, joinName, toContact } from "../../contracts/crm.ts";
import { post } from "../../contracts/http.ts";
import { offset } from "../../contracts/paging.ts";
import { implement } from "../../contracts/provider.ts";

// Only what is read here. Every attribute is a list of values, empty where there is none.
export interface AttioPerson {
  id: { record_id: string };
  values: {
    name?: { full_name?: string | null; first_name?: string | null; last_name?: string | null }[];
    email_addresses?: { email_address?: string | null }[];
  };
}
export interface AttioPage {
  data: AttioPerson[];
}

/** Records that are added during a walk come at its end: they move none that are still to be read. */
const OLDEST_FIRST = [{ attribute: "created_at", direction: "asc" }];

export default implement(crm, {
  listContacts: {
    page: 500,
    request: ({ limit, cursor }) =>
      post("/objects/people/records/query", { sorts: OLDEST_FIRST }, { limit, offset: cursor ?? 0 }),
    items: (body: AttioPage) => body.data,
    // https://docs.attio.com/rest-api/guides/pagination
    next: offset((body: AttioPage) => body.data),
    record: ({ id, values }: AttioPerson) => {
      const [name] = values.name ?? [];
      return toContact(
        id.record_id,
        values.email_addresses?.[0]?.email_address,
        name?.full_name,
        joinName(name?.first_name, name?.last_name),
      );
    },
  },
});
