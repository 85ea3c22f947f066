import type { QueryResult, TokenResponse } from "@jsforce/jsforce-node";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import salesforceCrm, { type SalesforcePage } from "./crm.ts";
import salesforce from "./manifest.ts";

const manifest: Manifest = salesforce;
const { request, next, record } = salesforceCrm.operations.listContacts as AnyList;

/** A compile-time check that the answer type of Salesforce's client fits ours. */
const pageOf = (page: QueryResult<SalesforcePage["records"][number]>): SalesforcePage => page;

const contact = (Id: string, rest: Partial<SalesforcePage["records"][number]> = {}) => ({
  attributes: { type: "Contact", url: `/services/data/v67.0/sobjects/Contact/${Id}` },
  Id,
  Name: "Ada Lovelace",
  Email: "ada@example.com",
  ...rest,
});

describe("pages of contacts", () => {
  const queryOf = (cursor: string | undefined, limit: number) => request({ limit, cursor } as AnyPageContext).locked.q;
  const nextOf = (page: SalesforcePage, limit: number) =>
    next({ status: 200, headers: {}, body: page }, { limit } as AnyPageContext);

  test("the query selects the page", () => {
    expect(queryOf(undefined, 25)).toBe("SELECT Id, Name, Email FROM Contact ORDER BY Id LIMIT 25");
    expect(queryOf("0035g00000000m7AAA", 100)).toBe(
      "SELECT Id, Name, Email FROM Contact WHERE Id > '0035g00000000m7AAA' ORDER BY Id LIMIT 100",
    );
  });

  test.each(["x' OR Name != '", "\\", "\\' OR Id != '", "' LIMIT 1 --"])(
    "the cursor %j cannot change the query",
    (cursor) => {
      const [, literal] =
        /WHERE Id > ('(?:[^'\\]|\\.)*') ORDER BY Id LIMIT 5$/.exec(queryOf(cursor, 5) as string) ?? [];
      expect(literal?.slice(1, -1).replace(/\\(.)/g, "$1")).toBe(cursor);
    },
  );

  test("the client cannot override the query", () => {
    expect(Object.keys(request({ limit: 5 } as AnyPageContext).locked)).toContain("q");
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

test("a contact may have no email, and without a name it is named by its email or id", () => {
  const recordOf = (item: ReturnType<typeof contact>) => record(item, {} as AnyPageContext);
  expect(recordOf(contact("003A", { Email: null }))).toEqual({ id: "003A", name: "Ada Lovelace", email: null });
  expect(recordOf(contact("003A", { Name: null })).name).toBe("ada@example.com");
  expect(recordOf(contact("003A", { Name: " ", Email: null })).name).toBe("003A");
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
