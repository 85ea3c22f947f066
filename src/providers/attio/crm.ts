import {
  crm,
  implement,
  list,
  offset,
  type PageContext,
  search,
  toCompany,
  toDeal,
  wordsOf,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { type AttioPerson, type AttioRecord, contactRecord, type Reference } from "./records.ts";
import { writes } from "./writes.ts";

// https://docs.attio.com/docs/standard-objects/standard-objects-companies
export type AttioCompany = AttioRecord<{
  name?: { value?: string | null }[];
  domains?: { domain?: string | null }[];
}>;
// https://docs.attio.com/docs/standard-objects/standard-objects-deals
export type AttioDeal = AttioRecord<{
  name?: { value?: string | null }[];
  stage?: { status?: { title?: string | null } | null }[];
  value?: { currency_value?: number | null; currency_code?: string | null }[];
  associated_company?: Reference;
}>;
interface AttioPage<Item = AttioPerson> {
  data: Item[];
}

/** Records added while a client is paging come last, so they do not shift the pages still to be read. */
const OLDEST_FIRST = [{ attribute: "created_at", direction: "asc" }];

/** Attio's search returns 25 records and no more. https://docs.attio.com/rest-api/guides/filtering-and-sorting */
const withWords = (text: string) => ({
  $and: wordsOf(text).map((word) => ({
    $or: [{ name: { full_name: { $contains: word } } }, { email_addresses: { email_address: { $contains: word } } }],
  })),
});

/** Attio does not say when a record was updated. https://docs.attio.com/docs/standard-objects/standard-objects */
const records = <Item extends AttioRecord<unknown>, ListRecord>(
  object: string,
  record: (item: Item) => ListRecord,
  filters: readonly string[] = [],
) =>
  list({
    maxPageSize: 500,
    filters,
    items: (body: AttioPage<Item>) => body.data,
    // https://docs.attio.com/rest-api/guides/pagination
    next: offset<AttioPage<Item>>((body) => body.data),
    request: ({ input: { query }, limit, cursor }: PageContext<{ updated_since?: string; query?: string }, number>) =>
      search(
        `/objects/${object}/records/query`,
        { sorts: OLDEST_FIRST },
        { ...(query !== undefined && { filter: withWords(query) }), limit, offset: cursor ?? 0 },
      ),
    record,
  });

export default implement(
  crm,
  {
    listContacts: records("people", contactRecord, ["query"]),
    listCompanies: records("companies", ({ id, values, web_url, created_at }: AttioCompany) =>
      toCompany({
        id: id.record_id,
        name: values.name?.[0]?.value,
        website: values.domains?.[0]?.domain,
        url: web_url,
        created_at,
      }),
    ),
    listDeals: records("deals", ({ id, values, web_url, created_at }: AttioDeal) =>
      toDeal({
        id: id.record_id,
        name: values.name?.[0]?.value,
        amount: values.value?.[0]?.currency_value,
        currency: values.value?.[0]?.currency_code,
        stage: values.stage?.[0]?.status?.title,
        company_id: values.associated_company?.[0]?.target_record_id,
        url: web_url,
        created_at,
      }),
    ),
    ...writes,
  },
  { contact: customFields("people"), company: customFields("companies"), deal: customFields("deals") },
);
