import {
  crm,
  Fault,
  get,
  implement,
  list,
  type PageContext,
  pageWithin,
  toCompany,
  toDeal,
} from "../../provider-kit/index.ts";
import { customFields, withFields } from "./custom-fields.ts";
import { CONTACT, contactRecord, restOf, type Settings, type ZohoContact, type ZohoRecord } from "./records.ts";
import { writes } from "./writes.ts";

interface ZohoAccount extends ZohoRecord {
  Account_Name?: string | null;
  Website?: string | null;
  Phone?: string | null;
}
interface ZohoDeal extends ZohoRecord {
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

/** What a search would be for instead. */
const OTHER_SEARCHES = { criteria: undefined, email: undefined, phone: undefined };
/** https://www.zoho.com/crm/developer/docs/api/v8/search-records.html */
const MAX_FOUND = 2_000;

type Paging = PageContext<{ updated_since?: string; query?: string }, string>;

/** Only lists have page tokens; pages of a search are numbered. */
function nextOf(body: ZohoPage<unknown>, { input, limit, cursor = "1" }: Paging): string | null {
  if (!body?.info.more_records) return null;
  if (input.query !== undefined) return pageWithin(MAX_FOUND, Number(cursor), limit);
  if (body.info.next_page_token) return body.info.next_page_token;
  const message = "Zoho returns no more than 100,000 records of a list, and this one has more: use `updated_since`";
  throw new Fault("upstream_malformed", message, { permanent: true });
}

const records = <Item extends ZohoRecord, ListRecord>(
  module: string,
  fields: readonly (keyof NoInfer<Item> & string)[],
  record: (item: Item, context: Settings) => ListRecord,
  filters: readonly string[] = [],
) =>
  list({
    // https://www.zoho.com/crm/developer/docs/api/v8/get-records.html
    maxPageSize: 200,
    filters: ["updated_since", ...filters],
    items: (body: ZohoPage<Item>) => body?.data ?? [],
    next: ({ body }: { body: ZohoPage<Item> }, paging: Paging) => nextOf(body, paging),
    // Page numbers end at the 2,000th record, page tokens at the 100,000th. The list cannot be continued by a filter: the
    // only one is for the time of a change, and in that order records would move while they are read.
    request: ({ limit, cursor, select, input: { query, updated_since } }) =>
      query === undefined
        ? get(
            `/${module}`,
            withFields(fields, select),
            { per_page: limit, page_token: cursor, page: undefined },
            updated_since ? { headers: modifiedAfter(updated_since) } : {},
          )
        : get(`/${module}/search`, withFields(fields, select), {
            word: query,
            ...OTHER_SEARCHES,
            per_page: limit,
            page: cursor,
          }),
    record,
  });

export default implement(
  crm,
  {
    listContacts: records("Contacts", CONTACT, contactRecord, ["query"]),
    listCompanies: records(
      "Accounts",
      ["Account_Name", "Website", "Phone"],
      (account: ZohoAccount, context: Settings) =>
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
    ...writes,
  },
  { contact: customFields("Contacts"), company: customFields("Accounts"), deal: customFields("Deals") },
);
