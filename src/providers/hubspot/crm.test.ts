import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging as SdkCompanies } from "@hubspot/api-client/lib/codegen/crm/companies/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js";
import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging as SdkPage } from "@hubspot/api-client/lib/codegen/crm/contacts/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js";
import type { CollectionResponseSimplePublicObjectWithAssociationsForwardPaging as SdkDeals } from "@hubspot/api-client/lib/codegen/crm/deals/models/CollectionResponseSimplePublicObjectWithAssociationsForwardPaging.js";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import hubspotCrm, { type HubSpotPage } from "./crm.ts";
import hubspot from "./manifest.ts";

const manifest: Manifest = hubspot;
const { next, record } = hubspotCrm.operations.listContacts as AnyList;
const companies = hubspotCrm.operations.listCompanies as AnyList;
const deals = hubspotCrm.operations.listDeals as AnyList;

/** The SDK parses times into dates; in the response they are strings. */
type Wire<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: Wire<T[Key]> } : T;

const contact = (properties: Record<string, string | null>) =>
  ({
    id: "901",
    properties,
    createdAt: "2024-01-01T00:00:00.000Z",
    updatedAt: "2024-01-01T00:00:00.000Z",
    archived: false,
  }) satisfies Wire<SdkPage>["results"][number];

const recordOf = (item: HubSpotPage["results"][number]) => record(item, {} as AnyPageContext);

// Compile-time check: our types accept the SDK's types of a response.
const pageOf = (page: Wire<SdkPage | SdkCompanies | SdkDeals>): HubSpotPage => page;

const TIMES = { created_at: "2024-01-01T00:00:00.000Z", updated_at: "2024-01-01T00:00:00.000Z" };

describe("contacts", () => {
  test.each([
    ["Ada", "Lovelace", "ada@example.com", "Ada Lovelace"],
    ["陽菜", null, null, "陽菜"],
    [null, "d’Arc", "joan@example.com", "d’Arc"],
    [null, null, "nameless@example.com", "nameless@example.com"],
    ["  ", "", "blank@example.com", "blank@example.com"],
    [" Ada ", " Lovelace", null, "Ada Lovelace"],
    [null, null, null, "901"],
    ["", "", "", "901"],
  ])("a contact with first name %j, last name %j and email %j is named %j", (firstname, lastname, email, name) => {
    expect(recordOf(contact({ firstname, lastname, email }))).toMatchObject({ id: "901", name, email: email || null });
  });

  test("a contact without properties is named by its id", () => {
    expect(recordOf(contact({}))).toEqual({
      id: "901",
      name: "901",
      email: null,
      first_name: null,
      last_name: null,
      phone: null,
      company_id: null,
      url: null,
      ...TIMES,
    });
  });

  test("a contact has the phone, the primary company and the page that HubSpot returns", () => {
    const url = "https://app.hubspot.com/contacts/1/record/0-1/901";
    const properties = { firstname: "Ada", lastname: "", phone: "+49 221 1", associatedcompanyid: "77" };
    expect(recordOf({ ...contact(properties), url })).toMatchObject({
      first_name: "Ada",
      last_name: null,
      phone: "+49 221 1",
      company_id: "77",
      url,
    });
  });
});

test.each([
  [{ website: "https://www.example.com/a", domain: "example.com" }, "https://www.example.com/a"],
  [{ website: "", domain: "example.com" }, "example.com"],
  [{ website: null, domain: null }, null],
])("a company with the properties %j has the website %j", (properties, website) => {
  const page = pageOf({ results: [contact({ name: "Größe & Söhne", phone: null, ...properties })] });
  expect(companies.record(page.results[0], {} as AnyPageContext)).toEqual({
    id: "901",
    name: "Größe & Söhne",
    website,
    phone: null,
    url: null,
    ...TIMES,
  });
});

describe("deals", () => {
  const dealOf = (properties: Record<string, string | null>, results?: { id: string; type: string }[]) =>
    deals.record(
      pageOf({ results: [{ ...contact(properties), ...(results && { associations: { companies: { results } } }) }] })
        .results[0],
      {} as AnyPageContext,
    );

  test("a deal has its amount as a number and the ID of its stage", () => {
    const properties = {
      dealname: "Überraschung",
      amount: "1250.50",
      deal_currency_code: "EUR",
      dealstage: "91183487",
      closedate: "2024-05-01T10:00:00Z",
    };
    expect(dealOf(properties)).toEqual({
      id: "901",
      name: "Überraschung",
      amount: 1250.5,
      currency: "EUR",
      stage: "91183487",
      company_id: null,
      closes_at: "2024-05-01T10:00:00.000Z",
      url: null,
      ...TIMES,
    });
  });

  test.each([
    [[], null],
    [[{ id: "1", type: "deal_to_company_unlabeled" }], "1"],
    [
      [
        { id: "1", type: "deal_to_company_unlabeled" },
        { id: "2", type: "deal_to_company" },
        { id: "2", type: "deal_to_company_unlabeled" },
      ],
      "2",
    ],
  ])("a deal with the associated companies %j has the company %j", (associated, company) => {
    expect(dealOf({}, associated).company_id).toBe(company);
  });
});

describe("paging", () => {
  const nextOf = (body: HubSpotPage, query?: string) =>
    next({ status: 200, headers: {}, body }, { input: { query }, limit: 100 } as AnyPageContext);

  test("the next page starts at paging.next.after, and the last page has none", () => {
    const results = [contact({})];
    expect(nextOf(pageOf({ results, paging: { next: { after: "NTI1", link: "?after=NTI1" } } }))).toBe("NTI1");
    expect(nextOf(pageOf({ results }))).toBeUndefined();
    expect(nextOf(pageOf({ results, paging: {} }))).toBeUndefined();
  });

  test("a search has no page beyond 10,000 results, which HubSpot would refuse", () => {
    const pageBefore = (after: string) => ({ results: [], paging: { next: { after } } });
    expect([nextOf(pageBefore("9900"), "ada"), nextOf(pageBefore("10000"), "ada")]).toEqual(["9900", null]);
    expect(nextOf(pageBefore("10000"))).toBe("10000");
    expect(nextOf({ results: [] }, "ada")).toBeUndefined();
  });
});

test("a 429 is retried after the period of its limit, and never for the daily limit", () => {
  const wait = (status: number, body: unknown) => manifest.retryAfter!({ status, headers: {}, body });
  expect(wait(429, { policyName: "SECONDLY" })).toBe(1);
  expect(wait(429, { policyName: "TEN_SECONDLY_ROLLING" })).toBe(10);
  expect(wait(429, { policyName: "DAILY" })).toBe(Number.POSITIVE_INFINITY);
  expect(wait(429, null)).toBeUndefined();
  expect(wait(503, { policyName: "SECONDLY" })).toBeUndefined();
});

test("a refresh token is revoked with a DELETE request that has the encoded token in its path", () => {
  const { revoke } = hubspot.auth.oauth2;
  const request = revoke({ credentials: { token: "a", refresh_token: "r/1?x" }, client_id: "", client_secret: "" });
  expect([request.method, request.path]).toEqual(["DELETE", "/oauth/v1/refresh-tokens/r%2F1%3Fx"]);
});
