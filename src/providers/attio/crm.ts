import { crm } from "../../categories/crm.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { offset } from "../../provider-kit/paging.ts";
import { post } from "../../provider-kit/request.ts";

// Only the fields that are read here. Every attribute is a list of values, empty if there is none.
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

/** People added while a client is paging come last, so they do not shift the pages still to be read. */
const OLDEST_FIRST = [{ attribute: "created_at", direction: "asc" }];

export default implement(crm, {
  listContacts: list({
    maxPageSize: 500,
    items: (body: AttioPage) => body.data,
    // https://docs.attio.com/rest-api/guides/pagination
    next: offset<AttioPage>((body) => body.data),
    request: ({ limit, cursor }) =>
      post("/objects/people/records/query", { sorts: OLDEST_FIRST }, { limit, offset: cursor ?? 0 }),
    record: ({ id, values }: AttioPerson) => {
      const [name] = values.name ?? [];
      return toContact(
        id.record_id,
        values.email_addresses?.[0]?.email_address,
        name?.full_name,
        joinName(name?.first_name, name?.last_name),
      );
    },
  }),
});
