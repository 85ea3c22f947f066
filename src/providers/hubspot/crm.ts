import {
  crm,
  fieldNames,
  get,
  implement,
  list,
  type PageContext,
  search,
  toCompany,
  toDeal,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { CONTACT, contactRecord, type HubSpotObject } from "./records.ts";
import { writes } from "./writes.ts";

export interface HubSpotPage<Property extends string = string> {
  results: HubSpotObject<Property>[];
  /** Absent on the last page. */
  paging?: { next?: { after: string } };
}

const MAX_FOUND = 10_000;

type Paging = PageContext<{ updated_since?: string; query?: string }, string>;

/** A search counts its results, and refuses a page that would reach beyond the last one that it returns. */
function nextOf({ paging }: HubSpotPage, { input, limit }: Paging): string | null | undefined {
  const after = paging?.next?.after;
  return input.query !== undefined && Number(after) + limit > MAX_FOUND ? null : after;
}

/**
 * A list of objects. Filters other than a search are not passed on: only the search endpoint can filter, and it lags behind, ends
 * after 10,000 results and has no associations. https://developers.hubspot.com/docs/api-reference/search/guide
 */
const objects = <Property extends string, ListRecord>(
  kind: string,
  properties: readonly Property[],
  record: (object: HubSpotObject<Property>) => ListRecord,
  query: Record<string, string> = {},
  filters: readonly string[] = [],
) =>
  list({
    maxPageSize: 100,
    filters,
    items: (body: HubSpotPage<Property>) => body.results,
    next: ({ body }: { body: HubSpotPage<Property> }, context: Paging) => nextOf(body, context),
    request({ input, limit, cursor, select }: Paging) {
      const names = [...properties, ...fieldNames(select, "properties")];
      return input.query === undefined
        ? get(`/crm/v3/objects/${kind}`, { properties: names.join(","), ...query }, { limit, after: cursor })
        : search(
            `/crm/v3/objects/${kind}/search`,
            { properties: names, filterGroups: [], sorts: [] },
            { query: input.query, limit, after: cursor ?? "0" },
          );
    },
    record,
  });

/** The primary company, otherwise any. The primary one is listed a second time without a label. */
function companyOf({ associations }: HubSpotObject): string | undefined {
  const companies = associations?.companies?.results ?? [];
  return (companies.find(({ type }) => type === "deal_to_company") ?? companies[0])?.id;
}

export default implement(
  crm,
  {
    listContacts: objects("contacts", CONTACT, contactRecord, {}, ["query"]),
    listCompanies: objects(
      "companies",
      ["name", "website", "domain", "phone"],
      ({ id, properties: { name, website, domain, phone }, url, createdAt, updatedAt }) =>
        toCompany({ id, name, website: website || domain, phone, url, created_at: createdAt, updated_at: updatedAt }),
    ),
    listDeals: objects(
      "deals",
      ["dealname", "amount", "deal_currency_code", "dealstage", "closedate"],
      (deal) =>
        toDeal({
          id: deal.id,
          name: deal.properties.dealname,
          amount: deal.properties.amount,
          currency: deal.properties.deal_currency_code,
          stage: deal.properties.dealstage,
          company_id: companyOf(deal),
          closes_at: deal.properties.closedate,
          url: deal.url,
          created_at: deal.createdAt,
          updated_at: deal.updatedAt,
        }),
      { associations: "companies" },
    ),
    ...writes,
  },
  { contact: customFields("contacts"), company: customFields("companies"), deal: customFields("deals") },
);
