import { crm, defined, get, implement, list, type PageContext, toCompany, toDeal } from "../../provider-kit/index.ts";
import { customFields, withLabels } from "./custom-fields.ts";
import { type FoundPlace, foundPersons, type Input } from "./found-persons.ts";
import { contactRecord, idOf, type PipedriveItem, type PipedrivePerson, restOf, type Settings } from "./records.ts";
import { writes } from "./writes.ts";

interface PipedriveOrganization extends PipedriveItem {
  name?: string | null;
  website?: string | null;
}
interface PipedriveDeal extends PipedriveItem {
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

/** RFC 3339 without fractions of a second, as in https://developers.pipedrive.com/docs/api/v1/Persons#getPersons */
const seconds = (time: string | undefined) => time && `${time.slice(0, 19)}Z`;

const items = <Item extends PipedriveItem, ListRecord>(
  address: string,
  record: (item: Item, context: Settings) => ListRecord,
  places?: typeof foundPersons,
) =>
  list({
    maxPageSize: 500,
    filters: ["updated_since", ...(places ? ["query"] : [])],
    ...defined({ places }),
    items: (body: PipedrivePage<Item>) => body.data ?? [],
    next: ({ body }: { body: PipedrivePage<Item> }) => body.additional_data?.next_cursor,
    // `start` belongs to the paging of version 1.
    request: ({ limit, cursor, input, place, select }: PageContext<Input, string, FoundPlace>) =>
      get(
        address,
        { updated_since: seconds(input.updated_since), ...withLabels({ select }) },
        // With a filter, IDs would be ignored.
        { limit, cursor, start: undefined, ...(place?.ids && { ids: place.ids, filter_id: undefined }) },
      ),
    record,
  });

export default implement(
  crm,
  {
    listContacts: items("/persons", contactRecord, foundPersons),
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
    ...writes,
  },
  { contact: customFields("person"), company: customFields("organization"), deal: customFields("deal") },
);
