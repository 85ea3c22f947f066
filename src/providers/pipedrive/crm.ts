import { crm } from "../../categories/crm.ts";
import type { PageContext } from "../../contracts/provider.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
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
) =>
  list({
    maxPageSize: 500,
    filters: ["updated_since"],
    items: (body: PipedrivePage<Item>) => body.data ?? [],
    next: ({ body }: { body: PipedrivePage<Item> }) => body.additional_data?.next_cursor,
    // `start` belongs to the paging of version 1.
    request: ({ limit, cursor, input }: PageContext<{ updated_since?: string }, string>) =>
      get(address, { updated_since: seconds(input.updated_since) }, { limit, cursor, start: undefined }),
    record,
  });

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
  ...writes,
});
