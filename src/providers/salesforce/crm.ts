import {
  type Answer,
  crm,
  fieldNames,
  get,
  implement,
  list,
  type PageContext,
  quotedWords,
  toCompany,
  toDeal,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import {
  COMMON,
  CONTACT,
  type CommonRow,
  contactRecord,
  type Row,
  restOf,
  type SalesforceContact,
  type Settings,
} from "./records.ts";
import { writes } from "./writes.ts";

const ACCOUNT = [...COMMON, "Name", "Website", "Phone"] as const;
// No currency: the field exists only in orgs with several currencies, and a query for it fails in all others.
const OPPORTUNITY = [...COMMON, "Name", "Amount", "StageName", "AccountId", "CloseDate"] as const;

export type SalesforceAccount = Row<(typeof ACCOUNT)[number]>;
export type SalesforceOpportunity = Row<(typeof OPPORTUNITY)[number]>;
export interface SalesforcePage<Item = SalesforceContact> {
  records: Item[];
  /** False if the answer contains only the first batch of the result. */
  done: boolean;
}
/** What a search finds comes in one batch. */
interface FoundPage<Item> {
  searchRecords: Item[];
}
type AnyPage<Item> = SalesforcePage<Item> | FoundPage<Item>;

const recordsOf = <Item>(page: AnyPage<Item>) => ("records" in page ? page.records : page.searchRecords);

/** https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_quotedstringescapes.htm */
const literal = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
/** Without fractions of a second: https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_dateformats.htm */
const timeLiteral = (time: string) => `${time.slice(0, 19)}Z`;

type Input = { updated_since?: string; email?: string; query?: string };

/**
 * The words of a text for a search in all fields. What has a meaning in SOSL is left out, and in quotes no word has one.
 * https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_sosl_find.htm
 */
const searchWords = (text: string) => quotedWords(text.replace(/[?&|!{}[\]()^~*:\\"'+-]/g, " "));

/** The fields to select, each once. Only plain names may enter the query. */
const columns = (fields: readonly string[], select: readonly string[]) =>
  [...new Set([...fields, ...fieldNames(select).filter((name) => /^\w+$/.test(name))])].join(", ");

/**
 * The query itself selects the page, starting after the last id of the previous one: Salesforce's own paging has
 * batches of at least 200. The query cannot be overridden; a client's `params` are sent in addition to it.
 */
function pageQuery(object: string, fields: readonly string[], context: PageContext<Input, string>) {
  const { cursor, limit, input } = context;
  const selected = columns(fields, context.select);
  const conditions = [
    ...(cursor === undefined ? [] : [`Id > ${literal(cursor)}`]),
    ...(input.updated_since === undefined ? [] : [`SystemModstamp >= ${timeLiteral(input.updated_since)}`]),
    // Compared without regard to case.
    ...(input.email === undefined ? [] : [`Email = ${literal(input.email)}`]),
  ];
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
  const rest = `${where} ORDER BY Id LIMIT ${limit}`;
  return input.query === undefined
    ? `SELECT ${selected} FROM ${object}${rest}`
    : `FIND {${searchWords(input.query)}} IN ALL FIELDS RETURNING ${object}(${selected}${rest})`;
}

const objects = <Item extends CommonRow, ListRecord>(
  object: string,
  fields: readonly (keyof Item & string)[],
  record: (item: Item, context: Settings) => ListRecord,
  filters: readonly string[] = [],
) =>
  list({
    maxPageSize: 200,
    filters: ["updated_since", ...filters],
    items: recordsOf<Item>,
    next: ({ body }: Answer<AnyPage<Item>>, { limit }: { limit: number }) => {
      const records = recordsOf(body);
      const isDone = "done" in body ? body.done : true;
      return records.length < limit && isDone ? null : records.at(-1)?.Id;
    },
    request: (context: PageContext<Input, string>) =>
      get(context.input.query === undefined ? "/query" : "/search", {}, { q: pageQuery(object, fields, context) }),
    record,
  });

export default implement(
  crm,
  {
    listContacts: objects("Contact", CONTACT, contactRecord, ["email", "query"]),
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
    ...writes,
  },
  { contact: customFields("Contact"), company: customFields("Account"), deal: customFields("Opportunity") },
);
