import { type Contact, type ContactFields, crm } from "../../categories/crm.ts";
import type { Context, PageContext } from "../../contracts/provider.ts";
import type { Upstream, UpstreamRequest } from "../../contracts/upstream.ts";
import { toContact } from "../../provider-kit/contact.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, path, post, put } from "../../provider-kit/request.ts";

// Only the fields that are requested.
interface ZohoRecord {
  id: string;
  Created_Time?: string | null;
  Modified_Time?: string | null;
}
export interface ZohoContact extends ZohoRecord {
  Full_Name?: string | null;
  First_Name?: string | null;
  Last_Name?: string | null;
  Email?: string | null;
  Phone?: string | null;
  Account_Name?: { id: string } | null;
}
export interface ZohoAccount extends ZohoRecord {
  Account_Name?: string | null;
  Website?: string | null;
  Phone?: string | null;
}
export interface ZohoDeal extends ZohoRecord {
  Deal_Name?: string | null;
  Amount?: number | null;
  /** Only in organizations with several currencies. */
  Currency?: string | null;
  Stage?: string | null;
  Account_Name?: { id: string } | null;
  /** A date. */
  Closing_Date?: string | null;
}
/** Null if there are no records: the answer is then a 204 without a body. */
export type ZohoPage<Item = ZohoContact> = {
  data: Item[];
  info: { more_records: boolean; next_page_token?: string | null };
} | null;

/** One second earlier, as the records must be modified after this time; times in Zoho have no fractions of a second. */
const modifiedAfter = (time: string): Record<string, string> => ({
  "if-modified-since": new Date(Date.parse(time) - 1000).toISOString().replace(/\.\d+Z$/, "+00:00"),
});

type Settings = Pick<Context, "settings">;

/** What the records of every module have. */
const restOf = (module: string, { id, Created_Time, Modified_Time }: ZohoRecord, { settings }: Settings) => ({
  id,
  // Zoho adds the organization that a page's own address has.
  url: `https://crm.${settings.domain}/crm/EntityInfo.do?module=${module}&id=${id}`,
  created_at: Created_Time,
  updated_at: Modified_Time,
});

const withTimes = (fields: readonly string[]) => ({ fields: [...fields, "Created_Time", "Modified_Time"].join(",") });

const records = <Item extends ZohoRecord, ListRecord>(
  module: string,
  fields: readonly (keyof NoInfer<Item> & string)[],
  record: (item: Item, context: Settings) => ListRecord,
) =>
  list({
    // https://www.zoho.com/crm/developer/docs/api/v8/get-records.html
    maxPageSize: 200,
    filtersUpdatedSince: true,
    items: (body: ZohoPage<Item>) => body?.data ?? [],
    next: ({ body }: { body: ZohoPage<Item> }) => (body?.info.more_records ? body.info.next_page_token : null),
    // Page numbers end at the 2,000th record; page tokens do not.
    request: ({ limit, cursor, input }: PageContext<{ updated_since?: string }, string>) =>
      get(
        `/${module}`,
        withTimes(fields),
        { per_page: limit, page_token: cursor, page: undefined },
        input.updated_since ? { headers: modifiedAfter(input.updated_since) } : {},
      ),
    record,
  });

const CONTACT = ["Full_Name", "First_Name", "Last_Name", "Email", "Phone", "Account_Name"] as const;

const contactRecord = (contact: ZohoContact, context: Settings): Contact =>
  toContact({
    ...restOf("Contacts", contact, context),
    email: contact.Email,
    names: [contact.Full_Name],
    first_name: contact.First_Name,
    last_name: contact.Last_Name,
    phone: contact.Phone,
    company_id: contact.Account_Name?.id,
  });

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

export default implement(crm, {
  listContacts: records("Contacts", CONTACT, contactRecord),
  listCompanies: records("Accounts", ["Account_Name", "Website", "Phone"], (account: ZohoAccount, context: Settings) =>
    toCompany({
      ...restOf("Accounts", account, context),
      name: account.Account_Name,
      website: account.Website,
      phone: account.Phone,
    }),
  ),
  listDeals: records(
    "Deals",
    ["Deal_Name", "Amount", "Currency", "Stage", "Account_Name", "Closing_Date"],
    (deal: ZohoDeal, context: Settings) =>
      toDeal({
        ...restOf("Deals", deal, context),
        name: deal.Deal_Name,
        amount: deal.Amount,
        currency: deal.Currency,
        stage: deal.Stage,
        company_id: deal.Account_Name?.id,
        closes_at: deal.Closing_Date,
      }),
  ),
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
});
