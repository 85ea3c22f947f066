import type { QueryResult, TokenResponse } from "@jsforce/jsforce-node";
import type { StandardSchema } from "@jsforce/jsforce-node/lib/types/standard-schema.js";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import salesforceCrm, { type SalesforceAccount, type SalesforceOpportunity, type SalesforcePage } from "./crm.ts";
import salesforce from "./manifest.ts";
import type { SalesforceContact } from "./records.ts";

const manifest: Manifest = salesforce;
const { request, next, record } = salesforceCrm.operations.listContacts as AnyList;
const companies = salesforceCrm.operations.listCompanies as AnyList;
const deals = salesforceCrm.operations.listDeals as AnyList;
const context = { settings: { host: "acme.my.salesforce.com" } } as unknown as AnyPageContext;

/** A compile-time check that the answer type of Salesforce's client fits ours. */
const pageOf = (page: QueryResult<SalesforcePage["records"][number]>): SalesforcePage => page;

/** A compile-time check that Salesforce's client knows every field that is selected, with a type that fits ours. */
type Known = StandardSchema["SObjects"];
const contactOf = (row: Known["Contact"]["Fields"]): SalesforceContact => row;
const accountOf = (row: Known["Account"]["Fields"]): SalesforceAccount => row;
const opportunityOf = (row: Known["Opportunity"]["Fields"]): SalesforceOpportunity => row;
/** A row with the fields that matter to a test. */
const row = <Fields>(fields: object) => fields as Fields;

const AUDIT = { CreatedDate: "2024-01-01T00:00:00.000+0000", SystemModstamp: "2024-01-02T12:30:00.000+0000" };
const TIMES = { created_at: "2024-01-01T00:00:00.000Z", updated_at: "2024-01-02T12:30:00.000Z" };

const contact = (Id: string, rest: object = {}) =>
  contactOf(
    row({
      attributes: { type: "Contact", url: `/services/data/v67.0/sobjects/Contact/${Id}` },
      Id,
      Name: "Ada Lovelace",
      FirstName: "Ada",
      LastName: "Lovelace",
      Email: "ada@example.com",
      Phone: null,
      AccountId: null,
      ...AUDIT,
      ...rest,
    }),
  );

describe("pages of contacts", () => {
  const queryOf = (cursor: string | undefined, limit: number, input = {}) =>
    request({ limit, cursor, input, select: [] } as unknown as AnyPageContext).locked.q;
  const SELECTED =
    "SELECT Id, CreatedDate, SystemModstamp, Name, FirstName, LastName, Email, Phone, AccountId FROM Contact";
  const nextOf = (page: SalesforcePage, limit: number) =>
    next({ status: 200, headers: {}, body: page }, { limit } as AnyPageContext);

  test("the query selects the page", () => {
    expect(queryOf(undefined, 25)).toBe(`${SELECTED} ORDER BY Id LIMIT 25`);
    expect(queryOf("0035g00000000m7AAA", 100)).toBe(
      `${SELECTED} WHERE Id > '0035g00000000m7AAA' ORDER BY Id LIMIT 100`,
    );
  });

  test("the query selects custom fields, each once, and nothing that is no plain name", () => {
    const select = ["/Tier__c", "/Email", "/Tier__c", "/x FROM User--", "/a,b"];
    const { q } = request({ limit: 25, input: {}, select } as unknown as AnyPageContext).locked;
    expect(q).toBe(`${SELECTED.replace(" FROM", ", Tier__c FROM")} ORDER BY Id LIMIT 25`);
  });

  test("the query selects what was updated since a time, on every page", () => {
    const input = { updated_since: "2024-01-02T12:30:00.999Z" };
    const condition = "SystemModstamp >= 2024-01-02T12:30:00Z";
    expect(queryOf(undefined, 25, input)).toBe(`${SELECTED} WHERE ${condition} ORDER BY Id LIMIT 25`);
    expect(queryOf("003A", 25, input)).toBe(`${SELECTED} WHERE Id > '003A' AND ${condition} ORDER BY Id LIMIT 25`);
  });

  test.each(["x' OR Name != '", "\\", "\\' OR Id != '", "' LIMIT 1 --"])(
    "the cursor %j cannot change the query",
    (cursor) => {
      const [, literal] =
        /WHERE Id > ('(?:[^'\\]|\\.)*') ORDER BY Id LIMIT 5$/.exec(queryOf(cursor, 5) as string) ?? [];
      expect(literal?.slice(1, -1).replace(/\\(.)/g, "$1")).toBe(cursor);
    },
  );

  test("the query selects contacts by their email address, whose quotes cannot change it", () => {
    expect(queryOf("003A", 5, { email: "o'neill\\@example.com" })).toBe(
      `${SELECTED} WHERE Id > '003A' AND Email = 'o\\'neill\\\\@example.com' ORDER BY Id LIMIT 5`,
    );
  });

  test.each([
    ["Zoë Müller", '"Zoë" "Müller"'],
    ["x} RETURNING User(Id) {y", '"x" "RETURNING" "User" "Id" "y"'],
    [`a" OR 'b' AND NOT c\\`, '"a" "OR" "b" "AND" "NOT" "c"'],
    ["100% (a*) 日本語", '"100%" "a" "日本語"'],
  ])("a search for %s has nothing but its words", (query, words) => {
    expect(queryOf("003A", 5, { query })).toBe(
      `FIND {${words}} IN ALL FIELDS RETURNING ${SELECTED.slice("SELECT ".length).replace(/(.*) FROM (.*)/, "$2($1")} WHERE Id > '003A' ORDER BY Id LIMIT 5)`,
    );
    expect(request({ limit: 5, input: { query }, select: [] } as unknown as AnyPageContext).path).toBe("/search");
  });

  test("the client cannot override the query", () => {
    expect(Object.keys(request({ limit: 5, input: {}, select: [] } as unknown as AnyPageContext).locked)).toContain(
      "q",
    );
  });

  test("the next page starts after the last record, and a page that is not full is the last", () => {
    const records = [contact("003A"), contact("003B")];
    expect(nextOf(pageOf({ totalSize: 2, done: true, records }), 2)).toBe("003B");
    expect(nextOf(pageOf({ totalSize: 2, done: true, records }), 3)).toBeNull();
    expect(nextOf(pageOf({ totalSize: 0, done: true, records: [] }), 3)).toBeNull();
  });

  test("there is a next page if Salesforce returned only a part of the result", () => {
    const page = pageOf({ totalSize: 9, done: false, nextRecordsUrl: "/next", records: [contact("003A")] });
    expect(nextOf(page, 9)).toBe("003A");
  });
});

test("a contact has its names, phone, company, page and times", () => {
  expect(record(contact("003A", { Phone: "+49 221 1", AccountId: "001A" }), context)).toEqual({
    id: "003A",
    name: "Ada Lovelace",
    email: "ada@example.com",
    first_name: "Ada",
    last_name: "Lovelace",
    phone: "+49 221 1",
    company_id: "001A",
    url: "https://acme.my.salesforce.com/003A",
    ...TIMES,
  });
});

test("a contact may have no email, and without a name it is named by its email or id", () => {
  const nameless = { Name: null, FirstName: null, LastName: null };
  const recordOf = (fields: object) => record(contact("003A", fields), context);
  expect(recordOf({ Email: null })).toMatchObject({ id: "003A", name: "Ada Lovelace", email: null });
  expect(recordOf(nameless).name).toBe("ada@example.com");
  expect(recordOf({ ...nameless, Name: " ", Email: null }).name).toBe("003A");
});

test("an account becomes a company", () => {
  const account = accountOf(row({ Id: "001A", Name: "Größe & Söhne", Website: "example.com", Phone: null, ...AUDIT }));
  expect(companies.record(account, context)).toEqual({
    id: "001A",
    name: "Größe & Söhne",
    website: "example.com",
    phone: null,
    url: "https://acme.my.salesforce.com/001A",
    ...TIMES,
  });
});

test("an opportunity becomes a deal, which closes at midnight UTC and has no currency", () => {
  const fields = { Name: "Big", Amount: 0, StageName: "Closed Won", AccountId: "001A", CloseDate: "2024-05-01" };
  expect(deals.record(opportunityOf(row({ Id: "006A", ...fields, ...AUDIT })), context)).toEqual({
    id: "006A",
    name: "Big",
    amount: 0,
    currency: null,
    stage: "Closed Won",
    company_id: "001A",
    closes_at: "2024-05-01T00:00:00.000Z",
    url: "https://acme.my.salesforce.com/006A",
    ...TIMES,
  });
});

test("a 403 without JSON means that the token was refused; the API's own 403 does not", () => {
  const status = (code: number, body: unknown) => manifest.failed!({ status: code, headers: {}, body });
  expect(status(403, null)).toBe(401);
  expect(status(403, [{ errorCode: "INSUFFICIENT_ACCESS" }])).toBeUndefined();
  expect(status(403, { error: "access_denied" })).toBeUndefined();
  expect(status(500, null)).toBeUndefined();
});

test("a 403 because of the org's limit of requests counts as a rate limit", () => {
  const body = [{ message: "TotalRequests Limit exceeded.", errorCode: "REQUEST_LIMIT_EXCEEDED" }];
  expect(manifest.failed!({ status: 403, headers: {}, body })).toBe(429);
});

describe("host", () => {
  const { pattern } = manifest.settings!.host!;
  const fits = (host: string) => new RegExp(`^(?:${pattern})$`).test(host);

  test.each([
    "login.salesforce.com",
    "test.salesforce.com",
    "acme.my.salesforce.com",
    "acme--uat.sandbox.my.salesforce.com",
    "acme-dev-ed.develop.my.salesforce.com",
  ])("the host may be %s", (host) => expect(fits(host)).toBe(true));

  test.each([
    "",
    "evil.example",
    "salesforce.com.evil.example",
    "acme.my.salesforce.com.evil.example",
    "evilmy.salesforce.com",
    "my.salesforce.com",
    "acme.my.salesforce.com:8443",
    "acme.my.salesforce.com/path",
    "user@acme.my.salesforce.com",
    "evil.example#.my.salesforce.com",
    "evil.example/.my.salesforce.com",
    "acme.my.salesforce.com\n",
    "127.0.0.1",
  ])("the host may not be %j", (host) => expect(fits(host)).toBe(false));

  const answer: TokenResponse = {
    token_type: "Bearer",
    scope: "api refresh_token",
    id: "https://login.salesforce.com/id/00D/005",
    access_token: "access",
    refresh_token: "refresh",
    signature: "",
    issued_at: "1700000000000",
    instance_url: "https://acme.my.salesforce.com",
  };
  const read = (body: Partial<TokenResponse>) => manifest.auth.oauth2!.readToken!(body)!;

  test("the host is read from the token answer", () => {
    expect(read(answer)).toEqual({
      access_token: "access",
      refresh_token: "refresh",
      settings: { host: "acme.my.salesforce.com" },
    });
  });

  test.each([undefined, "", "nonsense", "https://evil.example", "https://acme.my.salesforce.com@evil.example"])(
    "the host is not read from the instance_url %j",
    (instance_url) =>
      expect(fits(read({ ...answer, instance_url: instance_url as string }).settings!.host!)).toBe(false),
  );
});
