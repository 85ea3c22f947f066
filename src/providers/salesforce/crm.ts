import { type Contact, type ContactFields, crm } from "../../categories/crm.ts";
import type { Context, PageContext } from "../../contracts/provider.ts";
import type { Answer, Upstream } from "../../contracts/upstream.ts";
import { toContact } from "../../provider-kit/contact.ts";
import { toCompany, toDeal } from "../../provider-kit/crm-records.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, patch, path, post } from "../../provider-kit/request.ts";

/** The fields that are selected of each object. */
const COMMON = ["Id", "CreatedDate", "SystemModstamp"] as const;
const CONTACT = [...COMMON, "Name", "FirstName", "LastName", "Email", "Phone", "AccountId"] as const;
const ACCOUNT = [...COMMON, "Name", "Website", "Phone"] as const;
// No currency: the field exists only in orgs with several currencies, and a query for it fails in all others.
const OPPORTUNITY = [...COMMON, "Name", "Amount", "StageName", "AccountId", "CloseDate"] as const;

type Row<Field extends string> = { Id: string } & { [name in Exclude<Field, "Id" | "Amount">]: string | null } & {
  [name in Field & "Amount"]: number | null;
};
export type SalesforceContact = Row<(typeof CONTACT)[number]>;
export type SalesforceAccount = Row<(typeof ACCOUNT)[number]>;
export type SalesforceOpportunity = Row<(typeof OPPORTUNITY)[number]>;
export interface SalesforcePage<Item = SalesforceContact> {
  records: Item[];
  /** False if the answer contains only the first batch of the result. */
  done: boolean;
}

/** https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_quotedstringescapes.htm */
const literal = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
/** Without fractions of a second: https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_dateformats.htm */
const timeLiteral = (time: string) => `${time.slice(0, 19)}Z`;

type Input = { updated_since?: string };

/**
 * The query itself selects the page, starting after the last id of the previous one: Salesforce's own paging has
 * batches of at least 200. The query cannot be overridden; a client's `params` are sent in addition to it.
 */
function pageQuery(object: string, fields: readonly string[], { cursor, limit, input }: PageContext<Input, string>) {
  const conditions = [
    ...(cursor === undefined ? [] : [`Id > ${literal(cursor)}`]),
    ...(input.updated_since === undefined ? [] : [`SystemModstamp >= ${timeLiteral(input.updated_since)}`]),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  return `SELECT ${fields.join(", ")} FROM ${object}${where} ORDER BY Id LIMIT ${limit}`;
}

type Settings = Pick<Context, "settings">;
type CommonRow = Row<(typeof COMMON)[number]>;

/** What the records of every object have. */
const restOf = (item: CommonRow, { settings }: Settings) => ({
  id: item.Id,
  url: `https://${settings.host}/${item.Id}`,
  created_at: item.CreatedDate,
  updated_at: item.SystemModstamp,
});

const objects = <Item extends CommonRow, ListRecord>(
  object: string,
  fields: readonly (keyof Item & string)[],
  record: (item: Item, context: Settings) => ListRecord,
) =>
  list({
    maxPageSize: 200,
    filtersUpdatedSince: true,
    items: (body: SalesforcePage<Item>) => body.records,
    next: ({ body: { records, done } }: Answer<SalesforcePage<Item>>, { limit }: { limit: number }) =>
      records.length < limit && done ? null : records.at(-1)?.Id,
    request: (context: PageContext<Input, string>) => get("/query", {}, { q: pageQuery(object, fields, context) }),
    record,
  });

const contactRecord = (contact: SalesforceContact, context: Settings): Contact =>
  toContact({
    ...restOf(contact, context),
    email: contact.Email,
    names: [contact.Name],
    first_name: contact.FirstName,
    last_name: contact.LastName,
    phone: contact.Phone,
    company_id: contact.AccountId,
  });

const fieldsOf = ({ email, first_name, last_name, phone, company_id }: ContactFields) => ({
  Email: email,
  FirstName: first_name,
  LastName: last_name,
  Phone: phone,
  AccountId: company_id,
});

/** The response to a new contact has only its ID, and that to a change nothing at all. */
async function readContact(upstream: Upstream, id: string): Promise<SalesforceContact> {
  return (await upstream<SalesforceContact>(get(path`/sobjects/Contact/${id}`, { fields: CONTACT.join(",") }))).body;
}

export default implement(crm, {
  listContacts: objects("Contact", CONTACT, contactRecord),
  listCompanies: objects("Account", ACCOUNT, (account: SalesforceAccount, context) =>
    toCompany({
      ...restOf(account, context),
      name: account.Name,
      website: account.Website,
      phone: account.Phone,
    }),
  ),
  listDeals: objects("Opportunity", OPPORTUNITY, (opportunity: SalesforceOpportunity, context) =>
    toDeal({
      ...restOf(opportunity, context),
      name: opportunity.Name,
      amount: opportunity.Amount,
      stage: opportunity.StageName,
      company_id: opportunity.AccountId,
      closes_at: opportunity.CloseDate,
    }),
  ),
  // https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/dome_sobject_create.htm
  createContact: one({
    requires: ["last_name"],
    async load({ input, upstream }) {
      const { id } = (await upstream<{ id: string }>(post("/sobjects/Contact", fieldsOf(input)))).body;
      return readContact(upstream, id);
    },
    record: contactRecord,
  }),
  updateContact: one({
    async load({ input, upstream }) {
      await upstream(patch(path`/sobjects/Contact/${input.contact_id}`, fieldsOf(input)));
      return readContact(upstream, input.contact_id);
    },
    record: contactRecord,
  }),
});
