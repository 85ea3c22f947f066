import { crm } from "../../categories/crm.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { offset } from "../../provider-kit/paging.ts";
import { search } from "../../provider-kit/request.ts";
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

/** Attio does not say when a record was updated. https://docs.attio.com/docs/standard-objects/standard-objects */
const records = <Item extends AttioRecord<unknown>, ListRecord>(object: string, record: (item: Item) => ListRecord) =>
  list({
    maxPageSize: 500,
    items: (body: AttioPage<Item>) => body.data,
    // https://docs.attio.com/rest-api/guides/pagination
    next: offset<AttioPage<Item>>((body) => body.data),
    request: ({ limit, cursor }) =>
      search(`/objects/${object}/records/query`, { sorts: OLDEST_FIRST }, { limit, offset: cursor ?? 0 }),
    record,
  });

export default implement(crm, {
  listContacts: records("people", contactRecord),
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
});
