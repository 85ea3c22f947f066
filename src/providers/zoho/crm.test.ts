import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import type { OneImplementation } from "../../contracts/provider.ts";
import zohoCrm, { type ZohoPage } from "./crm.ts";
import zohoIdentity from "./identity.ts";
import zoho from "./manifest.ts";
import type { ZohoContact } from "./records.ts";

const manifest: Manifest = zoho;
const { items, next, record, request } = zohoCrm.operations.listContacts as AnyList;
const context = { settings: { domain: "zoho.eu" }, input: {}, select: [] } as unknown as AnyPageContext;
const recordOf = (name: string, item: object) =>
  (zohoCrm.operations[name] as AnyList).record({ id: "572", ...TIMES, ...item }, context);

const TIMES = { Created_Time: "2024-01-01T02:00:00+02:00", Modified_Time: "2024-01-02T02:00:00+02:00" };
const keptOf = (module: string) => ({
  id: "572",
  url: `https://crm.zoho.eu/crm/EntityInfo.do?module=${module}&id=572`,
  created_at: "2024-01-01T00:00:00.000Z",
  updated_at: "2024-01-02T00:00:00.000Z",
});

test.each([
  [{ Full_Name: "Ada Lovelace", Email: "ada@example.com" }, "Ada Lovelace"],
  [{ Full_Name: null, First_Name: "Ada", Last_Name: "Lovelace" }, "Ada Lovelace"],
  [{ Full_Name: " ", Last_Name: "d’Arc" }, "d’Arc"],
  [{ Full_Name: null, Email: "ada@example.com" }, "ada@example.com"],
  [{ Full_Name: null, Email: null }, "572"],
  [{}, "572"],
])("a contact with the fields %j has the name %j", (fields: Partial<ZohoContact>, name) => {
  const contact = record({ id: "572", ...fields }, context);
  expect(contact).toMatchObject({ id: "572", name, email: fields.Email ?? null });
});

test("a contact has its names, phone, account, page and times", () => {
  const fields = { Full_Name: "Ada Lovelace", First_Name: "Ada", Last_Name: "Lovelace", Email: null, Phone: "1" };
  expect(recordOf("listContacts", { ...fields, Account_Name: { id: "7", name: "Größe" } })).toEqual({
    ...keptOf("Contacts"),
    name: "Ada Lovelace",
    email: null,
    first_name: "Ada",
    last_name: "Lovelace",
    phone: "1",
    company_id: "7",
  });
});

test("a search is for a word and nothing else, and its pages have numbers up to the last that Zoho returns", () => {
  const paging = (cursor?: string) => ({ ...context, input: { query: "a) or (b" }, limit: 200, cursor });
  const { path, locked } = request(paging("3"));
  expect([path, locked]).toEqual(["/Contacts/search", { word: "a) or (b", per_page: 200, page: "3" }]);
  for (const other of ["criteria", "email", "phone"]) expect(Object.keys(locked)).toContain(other);
  const nextAfter = (cursor?: string, more_records = true) =>
    next({ status: 200, headers: {}, body: { data: [], info: { more_records } } }, paging(cursor));
  expect(["2", "10", null, null]).toEqual([nextAfter(), nextAfter("9"), nextAfter("10"), nextAfter("1", false)]);
});

test("a list that has more records, but no page token for them, fails instead of ending", () => {
  for (const next_page_token of [null, undefined]) {
    const body = { data: [], info: { more_records: true, next_page_token } };
    expect(() => next({ status: 200, headers: {}, body }, context)).toThrow("100,000 records");
  }
});

test("an account becomes a company", () => {
  const account = { Account_Name: "Größe & Söhne", Website: "example.com", Phone: null };
  const company = { name: "Größe & Söhne", website: "example.com", phone: null };
  expect(recordOf("listCompanies", account)).toEqual({ ...keptOf("Accounts"), ...company });
});

test("a deal has its amount, stage and account, and closes at midnight UTC", () => {
  const fields = { Deal_Name: "Big", Amount: 0, Currency: "EUR", Stage: "Closed Won", Closing_Date: "2024-05-01" };
  expect(recordOf("listDeals", { ...fields, Account_Name: { id: "7" } })).toEqual({
    ...keptOf("Deals"),
    name: "Big",
    amount: 0,
    currency: "EUR",
    stage: "Closed Won",
    company_id: "7",
    closes_at: "2024-05-01T00:00:00.000Z",
  });
  expect(recordOf("listDeals", { Account_Name: null })).toMatchObject({
    amount: null,
    currency: null,
    closes_at: null,
  });
});

test("records are requested that were modified after the second before `updated_since`", () => {
  const headers = (input: object) => request({ limit: 5, input, select: [] } as unknown as AnyPageContext).headers;
  expect(headers({ updated_since: "2024-01-02T03:04:05.678Z" })).toEqual({
    "if-modified-since": "2024-01-02T03:04:04+00:00",
  });
  expect(headers({})).toBeUndefined();
});

test("a 304 counts as an empty list", () => {
  expect(manifest.failed!({ status: 304, headers: {}, body: null })).toBe(204);
  expect(manifest.failed!({ status: 200, headers: {}, body: {} })).toBeUndefined();
});

test("an empty answer has no items and no next page", () => {
  const nextOf = (body: ZohoPage) => next({ status: body ? 200 : 204, headers: {}, body }, context);
  expect(items(null, context)).toEqual([]);
  expect(nextOf(null)).toBeNull();
  expect(nextOf({ data: [], info: { more_records: true, next_page_token: "abc" } })).toBe("abc");
  expect(nextOf({ data: [], info: { more_records: false, next_page_token: "abc" } })).toBeNull();
});

const fits = (name: string, value: string) => new RegExp(`^(?:${manifest.settings![name]!.pattern})$`).test(value);
const EVIL = ["", "evil.example", "zoho.com.evil.example", "www.zohoapis.com.evil.example", "zoho.evil", "127.0.0.1"];

describe("data center", () => {
  const { readRedirect } = manifest.auth.oauth2!;
  const domainOf = (address: string) => readRedirect!(new URLSearchParams({ "accounts-server": address })).domain!;

  test.each([
    "zoho.com",
    "zoho.eu",
    "zoho.in",
    "zoho.com.au",
    "zoho.com.cn",
    "zoho.jp",
    "zoho.sa",
    "zoho.uk",
    "zohocloud.ca",
  ])("the data center may be %s, and is read from the redirect after consent", (domain) => {
    expect(fits("domain", domain)).toBe(true);
    expect(domainOf(`https://accounts.${domain}`)).toBe(domain);
  });

  test.each([...EVIL, "accounts.zoho.com", "zoho.com:8443", "zoho.com/x", "evil@zoho.com", "notzoho.com"])(
    "the data center may not be %j",
    (domain) => expect(fits("domain", domain)).toBe(false),
  );

  test.each(["https://evil.example", "https://accounts.zoho.com@evil.example", "https://accounts.zoho.com:1", "x"])(
    "the data center is not read from a redirect with the accounts server %s",
    (address) => expect(fits("domain", domainOf(address))).toBe(false),
  );

  test("a redirect without an accounts server gives no valid data center", () => {
    expect(fits("domain", readRedirect!(new URLSearchParams()).domain!)).toBe(false);
  });
});

describe("API domain", () => {
  const read = (api_domain: unknown) =>
    manifest.auth.oauth2!.readToken!({ access_token: "a", expires_in: 3600, api_domain })!.settings!.api_domain!;

  test.each(["www.zohoapis.com", "www.zohoapis.com.au", "www.zohoapis.ca", "sandbox.zohoapis.eu"])(
    "the API domain may be %s, and is read from the token answer",
    (host) => {
      expect(fits("api_domain", host)).toBe(true);
      expect(read(`https://${host}`)).toBe(host);
    },
  );

  test.each([...EVIL, "zohoapis.com", "x.zohoapis.com", "www.zohoapis.com:8443", "www.zohoapis.com/x"])(
    "the API domain may not be %j",
    (host) => expect(fits("api_domain", host)).toBe(false),
  );

  test.each([undefined, null, 5, "", "x", "https://evil.example", "https://www.zohoapis.com@evil.example"])(
    "the API domain is not read from a token answer with %j",
    (address) => expect(fits("api_domain", read(address))).toBe(false),
  );
});

test("a record that was not written counts as an error, whatever the status of the response is", () => {
  const failed = (status: number, result: string) =>
    manifest.failed!({ status, headers: {}, body: { data: [{ code: "CODE", status: result }] } });
  expect(failed(200, "error")).toBe(400);
  expect(failed(202, "error")).toBe(400);
  expect(failed(404, "error")).toBeUndefined();
  expect(failed(201, "success")).toBeUndefined();
  expect(manifest.failed!({ status: 200, headers: {}, body: { data: "x" } })).toBeUndefined();
});

test("the account has the picture that Zoho names", () => {
  const { record } = zohoIdentity.operations.getMe as OneImplementation<any, any, any>;
  const user = { id: "1", full_name: "Ada Lovelace", email: "ada@example.com" };
  const image_link = "https://profile.example.com/file?ID=1&fs=thumb";
  expect(record({ users: [{ ...user, image_link }] }, {} as any).avatar_url).toBe(image_link);
  expect(record({ users: [user] }, {} as any).avatar_url).toBeNull();
});
