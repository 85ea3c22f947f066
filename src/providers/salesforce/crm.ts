import { crm } from "../../categories/crm.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { toContact } from "../../provider-kit/contact.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";

// Only the fields that the query selects.
export interface SalesforceContact {
  Id: string;
  Name: string | null;
  Email: string | null;
}
export interface SalesforcePage {
  records: SalesforceContact[];
  /** False if the answer contains only the first batch of the result. */
  done: boolean;
}

/** https://developer.salesforce.com/docs/atlas.en-us.soql_sosl.meta/soql_sosl/sforce_api_calls_soql_select_quotedstringescapes.htm */
const literal = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;

/**
 * The query itself selects the page, starting after the last id of the previous one: Salesforce's own paging has
 * batches of at least 200. The query cannot be overridden; a client's `params` are sent in addition to it.
 */
const contactsAfter = (id: string | undefined, limit: number) =>
  `SELECT Id, Name, Email FROM Contact${id === undefined ? "" : ` WHERE Id > ${literal(id)}`} ORDER BY Id LIMIT ${limit}`;

export default implement(crm, {
  listContacts: list({
    maxPageSize: 200,
    items: (body: SalesforcePage) => body.records,
    next: ({ body: { records, done } }: Answer<SalesforcePage>, { limit }: { limit: number }) =>
      records.length < limit && done ? null : records.at(-1)?.Id,
    request: ({ limit, cursor }) => get("/query", {}, { q: contactsAfter(cursor, limit) }),
    record: ({ Id, Name, Email }: SalesforceContact) => toContact(Id, Email, Name),
  }),
});
