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
])("a contact with %j is called %j", (fields: Partial<ZohoContact>, name) => {
  const contact = record({ id: "572", ...fields }, {} as AnyPageContext);
  expect(contact).toEqual({ id: "572", name, email: fields.Email ?? null });
});

test("a page that is not there has no items and none after it", () => {
  const nextOf = (body: ZohoPage) => next({ status: body ? 200 : 204, headers: {}, body }, {} as AnyPageContext);
  expect(items(null, {} as AnyPageContext)).toEqual([]);
  expect(nextOf(null)).toBeNull();
  expect(nextOf({ data: [], info: { more_records: true, next_page_token: "abc" } })).toBe("abc");
  expect(nextOf({ data: [], info: { more_records: false, next_page_token: "abc" } })).toBeNull();
});

const fits = (name: string, value: string) => new RegExp(`^(?:${manifest.settings![name]!.pattern})$`).test(value);
const EVIL = ["", "evil.example", "zoho.com.evil.example", "www.zohoapis.com.evil.example", "zoho.evil", "127.0.0.1"];

describe("the data centre", () => {
  const { readRedirect } = manifest.auth.oauth2!;
  const told = (address: string) => readRedirect!(new URLSearchParams({ "accounts-server": address })).domain!;

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
  ])("may be %s, and is told by the way back from consent", (domain) => {
    expect(fits("domain", domain)).toBe(true);
    expect(told(`https://accounts.${domain}`)).toBe(domain);
  });

  test.each([...EVIL, "accounts.zoho.com", "zoho.com:8443", "zoho.com/x", "evil@zoho.com", "notzoho.com"])(
    "may not be %j",
    (domain) => expect(fits("domain", domain)).toBe(false),
  );

  test.each(["https://evil.example", "https://accounts.zoho.com@evil.example", "https://accounts.zoho.com:1", "x"])(
    "is not taken from a way back that names %s",
    (address) => expect(fits("domain", told(address))).toBe(false),
  );

  test("is what the user said where the way back tells none", () => {
    expect(fits("domain", readRedirect!(new URLSearchParams()).domain!)).toBe(false);
  });
});

describe("the API's domain", () => {
  const read = (api_domain: unknown) =>
    manifest.auth.oauth2!.readToken!({ access_token: "a", expires_in: 3600, api_domain })!.settings!.api_domain!;

  test.each(["www.zohoapis.com", "www.zohoapis.com.au", "www.zohoapis.ca", "sandbox.zohoapis.eu"])(
    "may be %s, and is told by the token answer",
    (host) => {
      expect(fits("api_domain", host)).toBe(true);
      expect(read(`https://${host}`)).toBe(host);
    },
  );

  test.each([...EVIL, "zohoapis.com", "x.zohoapis.com", "www.zohoapis.com:8443", "www.zohoapis.com/x"])(
    "may not be %j",
    (host) => expect(fits("api_domain", host)).toBe(false),
  );

  test.each([undefined, null, 5, "", "x", "https://evil.example", "https://www.zohoapis.com@evil.example"])(
    "is not taken from an answer that names %j",
    (address) => expect(fits("api_domain", read(address))).toBe(false),
  );
});
