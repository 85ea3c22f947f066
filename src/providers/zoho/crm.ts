import { crm } from "../../categories/crm.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that are requested.
export interface ZohoContact {
  id: string;
  Full_Name?: string | null;
  First_Name?: string | null;
  Last_Name?: string | null;
  Email?: string | null;
}
/** Null if there are no records: the answer is then a 204 without a body. */
export type ZohoPage = {
  data: ZohoContact[];
  info: { more_records: boolean; next_page_token?: string | null };
} | null;

export default implement(crm, {
  listContacts: list({
    // https://www.zoho.com/crm/developer/docs/api/v8/get-records.html
    maxPageSize: 200,
    items: (body: ZohoPage) => body?.data ?? [],
    next: ({ body }: { body: ZohoPage }) => (body?.info.more_records ? body.info.next_page_token : null),
    // Page numbers end at the 2,000th record; page tokens do not.
    request: ({ limit, cursor }) =>
      get(
        "/Contacts",
        { fields: "Full_Name,First_Name,Last_Name,Email" },
        { per_page: limit, page_token: cursor, page: undefined },
      ),
    record: (contact: ZohoContact) =>
      toContact(contact.id, contact.Email, contact.Full_Name, joinName(contact.First_Name, contact.Last_Name)),
  }),
});
