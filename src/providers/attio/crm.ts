import { type Contact, type ContactFields, crm } from "../../categories/crm.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { offset } from "../../provider-kit/paging.ts";
import { get, path, post, put, search } from "../../provider-kit/request.ts";

// Only the fields that are read here. Every attribute is a list of values, empty if there is none.
interface AttioRecord<Values> {
  id: { record_id: string };
  web_url?: string | null;
  created_at?: string | null;
  values: Values;
}
type Reference = { target_record_id?: string | null }[];

export type AttioPerson = AttioRecord<{
  name?: { full_name?: string | null; first_name?: string | null; last_name?: string | null }[];
  email_addresses?: { email_address?: string | null }[];
  phone_numbers?: { phone_number?: string | null }[];
  company?: Reference;
}>;
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
export interface AttioPage<Item = AttioPerson> {
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

function contactRecord({ id, values, web_url, created_at }: AttioPerson): Contact {
  const [name] = values.name ?? [];
  return toContact({
    id: id.record_id,
    email: values.email_addresses?.[0]?.email_address,
    names: [name?.full_name],
    first_name: name?.first_name,
    last_name: name?.last_name,
    phone: values.phone_numbers?.[0]?.phone_number,
    company_id: values.company?.[0]?.target_record_id,
    url: web_url,
    created_at,
  });
}

/** A name is written with all of its parts. https://docs.attio.com/docs/attribute-types/attribute-types-personal-name */
function nameOf({ first_name, last_name }: ContactFields, known: AttioPerson["values"]) {
  if (first_name === undefined && last_name === undefined) return undefined;
  const [name] = known.name ?? [];
  const first = first_name ?? name?.first_name ?? "";
  const last = last_name ?? name?.last_name ?? "";
  return [{ first_name: first, last_name: last, full_name: joinName(first, last) }];
}

/** The values with another first one; the others stay. */
const withFirst = (value: string | undefined, known: (string | null | undefined)[] = []) =>
  value === undefined ? undefined : [value, ...known.slice(1)];

const valuesOf = (input: ContactFields, known: AttioPerson["values"] = {}) => ({
  values: {
    name: nameOf(input, known),
    email_addresses: withFirst(
      input.email,
      known.email_addresses?.map(({ email_address }) => email_address),
    ),
    phone_numbers: withFirst(
      input.phone,
      known.phone_numbers?.map(({ phone_number }) => phone_number),
    ),
    company: input.company_id && [{ target_object: "companies", target_record_id: input.company_id }],
  },
});

type PersonAnswer = { data: AttioPerson };

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
  createContact: one({
    request: ({ input }) => post("/objects/people/records", { data: valuesOf(input) }),
    record: ({ data }: PersonAnswer) => contactRecord(data),
  }),
  // A PATCH would add email addresses and phone numbers. A PUT replaces them all, so those that stay are sent again.
  updateContact: one({
    async load({ input, upstream }) {
      const address = path`/objects/people/records/${input.contact_id}`;
      const { data } = (await upstream<PersonAnswer>(get(address))).body;
      return (await upstream<PersonAnswer>(put(address, { data: valuesOf(input, data.values) }))).body;
    },
    record: ({ data }: PersonAnswer) => contactRecord(data),
  }),
});
