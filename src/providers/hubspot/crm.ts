import { type Contact, type ContactFields, crm } from "../../categories/crm.ts";
import type { Upstream, UpstreamRequest } from "../../contracts/upstream.ts";
import { toContact } from "../../provider-kit/contact.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, patch, path, post } from "../../provider-kit/request.ts";

// Only the fields that are read here. A property without a value is null, or missing if it was not requested.
export interface HubSpotObject<Property extends string = string> {
  id: string;
  properties: { [name in Property]?: string | null };
  url?: string | null;
  createdAt?: string | null;
  updatedAt?: string | null;
  /** Only if they were requested, and only of the kinds that the object has. */
  associations?: Record<string, { results: { id: string; type: string }[] }>;
}
export interface HubSpotPage<Property extends string = string> {
  results: HubSpotObject<Property>[];
  /** Absent on the last page. */
  paging?: { next?: { after: string } };
}

/**
 * A list of objects. `updated_since` is not passed on: only the search endpoint can filter, and it lags behind, ends
 * after 10,000 results and has no associations. https://developers.hubspot.com/docs/api-reference/search/guide
 */
const objects = <Property extends string, ListRecord>(
  kind: string,
  properties: readonly Property[],
  record: (object: HubSpotObject<Property>) => ListRecord,
  query: Record<string, string> = {},
) =>
  list({
    maxPageSize: 100,
    items: (body: HubSpotPage<Property>) => body.results,
    next: ({ body }: { body: HubSpotPage<Property> }) => body.paging?.next?.after,
    request: ({ limit, cursor }) =>
      get(`/crm/v3/objects/${kind}`, { properties: properties.join(","), ...query }, { limit, after: cursor }),
    record,
  });

/** The primary company, otherwise any. The primary one is listed a second time without a label. */
function companyOf({ associations }: HubSpotObject): string | undefined {
  const companies = associations?.companies?.results ?? [];
  return (companies.find(({ type }) => type === "deal_to_company") ?? companies[0])?.id;
}

const CONTACT = ["email", "firstname", "lastname", "phone", "associatedcompanyid"] as const;
type HubSpotContact = HubSpotObject<(typeof CONTACT)[number]>;

const contactRecord = ({ id, properties, url, createdAt, updatedAt }: HubSpotContact): Contact =>
  toContact({
    id,
    email: properties.email,
    first_name: properties.firstname,
    last_name: properties.lastname,
    phone: properties.phone,
    company_id: properties.associatedcompanyid,
    url,
    created_at: createdAt,
    updated_at: updatedAt,
  });

const propertiesOf = ({ email, first_name, last_name, phone }: ContactFields) => ({
  email,
  firstname: first_name,
  lastname: last_name,
  phone,
});

/** The type of the association with the primary company, which is the one that contacts are listed with. */
const PRIMARY_COMPANY = { associationCategory: "HUBSPOT_DEFINED", associationTypeId: 1 };

/** Writes a contact and reads it again: the response to a write has only some of the properties. */
async function written(upstream: Upstream, request: UpstreamRequest): Promise<HubSpotContact> {
  const { id } = (await upstream<HubSpotContact>(request)).body;
  return (await upstream<HubSpotContact>(get(path`/crm/v3/objects/contacts/${id}`, { properties: CONTACT.join(",") })))
    .body;
}

export default implement(crm, {
  listContacts: objects("contacts", CONTACT, contactRecord),
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
  // https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide
  createContact: one({
    load: ({ input, upstream }) =>
      written(
        upstream,
        post("/crm/v3/objects/contacts", {
          properties: propertiesOf(input),
          associations: input.company_id ? [{ to: { id: input.company_id }, types: [PRIMARY_COMPANY] }] : [],
        }),
      ),
    record: contactRecord,
  }),
  updateContact: one({
    load: ({ input, upstream }) =>
      written(
        upstream,
        // Associations cannot be changed in the same call, but the property that names the primary company can.
        patch(path`/crm/v3/objects/contacts/${input.contact_id}`, {
          properties: { ...propertiesOf(input), associatedcompanyid: input.company_id },
        }),
      ),
    record: contactRecord,
  }),
});
