import { type Contact, type ContactFields, crm } from "../../categories/crm.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { Context, PageContext } from "../../contracts/provider.ts";
import { joinName, toContact } from "../../provider-kit/contact.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, patch, path, post } from "../../provider-kit/request.ts";

// Only the fields that are read.
interface PipedriveItem {
  id: number;
  add_time?: string | null;
  update_time?: string | null;
}
/** One of several addresses or numbers. */
type Values = { value?: string; primary?: boolean; label?: string }[] | null;

export interface PipedrivePerson extends PipedriveItem {
  name?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  emails?: Values;
  phones?: Values;
  org_id?: number | null;
}
export interface PipedriveOrganization extends PipedriveItem {
  name?: string | null;
  website?: string | null;
}
export interface PipedriveDeal extends PipedriveItem {
  title?: string | null;
  value?: number | null;
  currency?: string | null;
  stage_id?: number | null;
  org_id?: number | null;
  /** When it was won or lost. */
  close_time?: string | null;
  /** A date. */
  expected_close_date?: string | null;
}
export interface PipedrivePage<Item = PipedrivePerson> {
  data?: Item[] | null;
  additional_data?: { next_cursor?: string | null } | null;
}

/** The primary one, otherwise the first one. */
const mainOf = (values: Values | undefined) => values?.find(({ primary }) => primary) ?? values?.[0];
const idOf = (id: number | null | undefined) => (id == null ? null : String(id));
/** RFC 3339 without fractions of a second, as in https://developers.pipedrive.com/docs/api/v1/Persons#getPersons */
const seconds = (time: string | undefined) => time && `${time.slice(0, 19)}Z`;

type Settings = Pick<Context, "settings">;

/** What the records of every list have. */
const restOf = (page: string, { id, add_time, update_time }: PipedriveItem, { settings }: Settings) => ({
  id: String(id),
  url: `https://${settings.company}.pipedrive.com/${page}/${id}`,
  created_at: add_time,
  updated_at: update_time,
});

const items = <Item extends PipedriveItem, ListRecord>(
  address: string,
  record: (item: Item, context: Settings) => ListRecord,
) =>
  list({
    maxPageSize: 500,
    filtersUpdatedSince: true,
    items: (body: PipedrivePage<Item>) => body.data ?? [],
    next: ({ body }: { body: PipedrivePage<Item> }) => body.additional_data?.next_cursor,
    // `start` belongs to the paging of version 1.
    request: ({ limit, cursor, input }: PageContext<{ updated_since?: string }, string>) =>
      get(address, { updated_since: seconds(input.updated_since) }, { limit, cursor, start: undefined }),
    record,
  });

const contactRecord = (person: PipedrivePerson, context: Settings): Contact =>
  toContact({
    ...restOf("person", person, context),
    email: mainOf(person.emails)?.value,
    names: [person.name],
    first_name: person.first_name,
    last_name: person.last_name,
    phone: mainOf(person.phones)?.value,
    company_id: idOf(person.org_id),
  });

/** The values with another main one; the others stay. */
function withMain(values: Values | undefined, value: string | undefined): Values | undefined {
  if (value === undefined) return undefined;
  const main = mainOf(values);
  if (!main) return [{ value, primary: true, label: "work" }];
  return values?.map((one) => (one === main ? { ...one, value, primary: true } : one));
}

/** Organizations have numbers. Anything else would be sent as null, which removes the person from its organization. */
function organizationId(company: string | undefined): number | undefined {
  if (company === undefined) return undefined;
  if (/^\d{1,15}$/.test(company)) return Number(company);
  throw invalidInput({ path: ["body", "company_id"], message: "must be an `id` from GET /v1/crm/companies" });
}

/** A person has one name, which Pipedrive splits itself: https://developers.pipedrive.com/docs/api/v1/Persons#addPerson */
const personOf = (input: ContactFields, known: Partial<PipedrivePerson> = {}) => ({
  ...((input.first_name ?? input.last_name) !== undefined && {
    name: joinName(input.first_name ?? known.first_name, input.last_name ?? known.last_name),
  }),
  emails: withMain(known.emails, input.email),
  phones: withMain(known.phones, input.phone),
  org_id: organizationId(input.company_id),
});

type PersonAnswer = { data: PipedrivePerson };

export default implement(crm, {
  listContacts: items("/persons", contactRecord),
  listCompanies: items("/organizations", (organization: PipedriveOrganization, context) =>
    toCompany({
      ...restOf("organization", organization, context),
      name: organization.name,
      website: organization.website,
    }),
  ),
  listDeals: items("/deals", (deal: PipedriveDeal, context) =>
    toDeal({
      ...restOf("deal", deal, context),
      name: deal.title,
      amount: deal.value,
      currency: deal.currency,
      stage: idOf(deal.stage_id),
      company_id: idOf(deal.org_id),
      closes_at: deal.close_time ?? deal.expected_close_date,
    }),
  ),
  createContact: one({
    request({ input }) {
      const person = personOf(input);
      if (!person.name) {
        const message = "is required by Pipedrive, unless there is a `first_name`";
        throw invalidInput({ path: ["body", "last_name"], message });
      }
      return post("/persons", person);
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
  }),
  // A change replaces the whole name and all email addresses or phone numbers, so those that stay are sent again.
  updateContact: one({
    async load({ input, upstream }) {
      const address = path`/persons/${input.contact_id}`;
      const { data } = (await upstream<PersonAnswer>(get(address))).body;
      return (await upstream<PersonAnswer>(patch(address, personOf(input, data)))).body;
    },
    record: ({ data }: PersonAnswer, context) => contactRecord(data, context),
  }),
});
