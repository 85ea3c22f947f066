import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import zohoCrm, { type ZohoContact, type ZohoPage } from "./crm.ts";
import zoho from "./manifest.ts";

const manifest: Manifest = zoho;
const { items, next, record } = zohoCrm.operations.listContacts as AnyList;

test.each([
  [{ Full_Name: "Ada Lovelace", Email: "ada@example.com" }, "Ada Lovelace"],
  [{ Full_Name: null, First_Name: "Ada", Last_Name: "Lovelace" }, "Ada Lovelace"],
  [{ Full_Name: " ", Last_Name: "d’Arc" }, "d’Arc"],
  [{ Full_Name: null, Email: "ada@example.com" }, "ada@example.com"],
  [{ Full_Name: null, Email: null }, "572"],
  [{}, "572"],
])("a contact with the fields %j has the name %j", (fields: Partial<ZohoContact>, name) => {
  const contact = record({ id: "572", ...fields }, {} as AnyPageContext);
  expect(contact).toEqual({ id: "572", name, email: fields.Email ?? null });
});

test("an empty answer has no items and no next page", () => {
  const nextOf = (body: ZohoPage) => next({ status: body ? 200 : 204, headers: {}, body }, {} as AnyPageContext);
  expect(items(null, {} as AnyPageContext)).toEqual([]);
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
