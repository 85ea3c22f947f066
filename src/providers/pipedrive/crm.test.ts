import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, requestsOfChange } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import type { Context } from "../../contracts/provider.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import pipedriveCrm, { type PipedrivePage } from "./crm.ts";
import { foundPersons } from "./found-persons.ts";
import pipedrive from "./manifest.ts";
import type { PipedrivePerson } from "./records.ts";

const manifest: Manifest = pipedrive;
const { items, next, record, request } = pipedriveCrm.operations.listContacts as AnyList;
const companies = pipedriveCrm.operations.listCompanies as AnyList;
const deals = pipedriveCrm.operations.listDeals as AnyList;
const context = { settings: { company: "acme" } } as unknown as AnyPageContext;

describe("persons that are written", () => {
  async function sentFor(input: object, person: Omit<PipedrivePerson, "id">) {
    const change = pipedriveCrm.operations.updateContact;
    const { calls, sent } = await requestsOfChange(
      change,
      { contact_id: "16", ...input },
      { data: { id: 16, ...person } },
    );
    expect(calls).toEqual(["GET /persons/16", "PATCH /persons/16"]);
    return sent;
  }
  const home = { value: "home@example.com", primary: false, label: "home" };
  const work = { value: "work@example.com", primary: true, label: "work" };

  test("a changed email address replaces the primary one, and the others stay with their labels", async () => {
    const input = { email: "new@example.com" };
    const sent = { ...work, value: "new@example.com" };
    expect(await sentFor(input, { emails: [home, work] })).toEqual({ emails: [home, sent] });
    expect(await sentFor(input, { emails: [home] })).toEqual({ emails: [{ ...sent, label: "home" }] });
    expect(await sentFor(input, { emails: [] })).toEqual({ emails: [sent] });
  });

  test("a changed part of the name is sent with the other part", async () => {
    const person = { name: "Ada Lovelace", first_name: "Ada", last_name: "Lovelace" };
    expect(await sentFor({ last_name: "Byron" }, person)).toEqual({ name: "Ada Byron" });
    expect(await sentFor({ first_name: "Anne" }, person)).toEqual({ name: "Anne Lovelace" });
    expect(await sentFor({ last_name: "Byron" }, { name: "?" })).toEqual({ name: "Byron" });
  });

  test("a part of the name that has several words is changed only together with the other part", async () => {
    const person = { name: "Ana García López", first_name: "Ana García", last_name: "López" };
    await expect(sentFor({ first_name: "Anna" }, person)).rejects.toThrow("last_name");
    expect(await sentFor({ last_name: "Pérez" }, person)).toEqual({ name: "Ana García Pérez" });
    const both = { first_name: "Anna", last_name: "García López" };
    expect(await sentFor(both, person)).toEqual({ name: "Anna García López" });
  });

  test("an organization is sent as a number, and anything else is refused before a change", async () => {
    expect(await sentFor({ company_id: "77" }, {})).toEqual({ org_id: 77 });
    for (const company_id of ["", "abc", "1e3", "0x1", "-1", "1.5"])
      await expect(sentFor({ company_id }, {})).rejects.toThrow("GET /v1/crm/companies");
  });
});

describe("persons that are searched for", () => {
  const search = async (query: string, pages: number[][]) => {
    const terms: unknown[] = [];
    const upstream = async ({ path, query }: UpstreamRequest) => {
      expect(path).toBe("/persons/search");
      terms.push(query);
      const found = pages[terms.length - 1]!.map((id) => ({ item: { id } }));
      const next_cursor = terms.length < pages.length ? `after ${terms.length}` : null;
      return { status: 200, headers: {}, body: { data: { items: found }, additional_data: { next_cursor } } };
    };
    const places = await foundPersons({ ...context, input: { query }, upstream } as unknown as Context<object>);
    return { terms, places };
  };
  const numbers = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

  test("a search says which persons are listed, 100 at a time", async () => {
    const { terms, places } = await search("a & b", [numbers(1, 150), [7]]);
    expect(terms).toEqual([
      { term: "a & b", limit: 500 },
      { term: "a & b", limit: 500, cursor: "after 1" },
    ]);
    expect(places.map(({ id, ids }) => [id, ids?.split(",").length])).toEqual([
      ["1", 100],
      ["101", 51],
    ]);
    const { path, locked } = request({
      ...context,
      input: {},
      limit: 20,
      place: places[1]!,
      select: [],
    } as AnyPageContext);
    expect([path, locked]).toEqual(["/persons", { limit: 20, ids: places[1]!.ids }]);
  });

  test("a search ends after 1,000 persons, and one that finds nothing lists nothing", async () => {
    const { terms, places } = await search("ada", [numbers(1, 500), numbers(501, 500), numbers(1001, 500)]);
    expect([terms.length, places.length]).toEqual([2, 10]);
    expect((await search("nobody", [[]])).places).toEqual([]);
  });
});

describe("persons", () => {
  const recordOf = (person: Omit<PipedrivePerson, "id">) => record({ id: 16, ...person }, context);
  const address = (value: string, primary: boolean) => ({ value, primary, label: "work" });

  test.each([
    [[address("a@example.com", true)], "a@example.com"],
    [[address("a@example.com", false), address("b@example.com", true)], "b@example.com"],
    [[address("a@example.com", false), address("b@example.com", false)], "a@example.com"],
    [[address("", true)], null],
    [[], null],
    [null, null],
    [undefined, null],
  ])("a person with the addresses %j has the email %j", (emails, email) => {
    expect(recordOf({ name: "Ada", emails: emails as PipedrivePerson["emails"] }).email).toBe(email);
  });

  test.each([
    [{ name: "Ada Lovelace", first_name: "Ada", last_name: "Lovelace" }, "Ada Lovelace"],
    [{ name: " ", first_name: "Ada", last_name: null }, "Ada"],
    [{ name: null, emails: [address("a@example.com", true)] }, "a@example.com"],
    [{}, "16"],
  ])("a person with the fields %j has the name %j", (person, name) => {
    expect(recordOf(person)).toMatchObject({ id: "16", name });
  });
});

test("a person has its main phone number, organization, page and times", () => {
  const person: PipedrivePerson = {
    id: 16,
    name: "Ada Lovelace",
    first_name: "Ada",
    last_name: "",
    phones: [{ value: "1" }, { value: "2", primary: true }],
    org_id: 0,
    add_time: "2024-01-01T00:00:00Z",
    update_time: "2024-01-02T00:00:00Z",
  };
  expect(record(person, context)).toEqual({
    id: "16",
    name: "Ada Lovelace",
    email: null,
    first_name: "Ada",
    last_name: null,
    phone: "2",
    company_id: "0",
    url: "https://acme.pipedrive.com/person/16",
    created_at: "2024-01-01T00:00:00.000Z",
    updated_at: "2024-01-02T00:00:00.000Z",
  });
});

test("an organization becomes a company with its website, and without a phone", () => {
  const organization = { id: 7, name: "Größe & Söhne", website: "https://a.example", add_time: "2024-01-01T00:00:00Z" };
  expect(companies.record(organization, context)).toEqual({
    id: "7",
    name: "Größe & Söhne",
    website: "https://a.example",
    phone: null,
    url: "https://acme.pipedrive.com/organization/7",
    created_at: "2024-01-01T00:00:00.000Z",
    updated_at: null,
  });
});

describe("deals", () => {
  test.each([
    [{ close_time: null, expected_close_date: "2024-05-01" }, "2024-05-01T00:00:00.000Z"],
    [{ close_time: "2024-04-30T09:00:00Z", expected_close_date: "2024-05-01" }, "2024-04-30T09:00:00.000Z"],
    [{ close_time: null, expected_close_date: null }, null],
    [{}, null],
  ])("a deal with the dates %j closes at %j", (dates, closes_at) => {
    const deal = { id: 3, title: "Big", value: 0, currency: "JPY", stage_id: 4, org_id: null, ...dates };
    expect(deals.record(deal, context)).toEqual({
      id: "3",
      name: "Big",
      amount: 0,
      currency: "JPY",
      stage: "4",
      company_id: null,
      closes_at,
      url: "https://acme.pipedrive.com/deal/3",
      created_at: null,
      updated_at: null,
    });
  });
});

test("the time of `updated_since` is sent without fractions of a second, and only if there is one", () => {
  const since = (input: object) =>
    request({ limit: 5, input, select: [] } as unknown as AnyPageContext).query.updated_since;
  expect(since({ updated_since: "2024-01-02T03:04:05.678Z" })).toBe("2024-01-02T03:04:05Z");
  expect(since({})).toBeUndefined();
});

test("a page may have no items, and the last page has no cursor", () => {
  const nextOf = (body: PipedrivePage) => next({ status: 200, headers: {}, body }, {} as AnyPageContext);
  expect(items({ data: null }, {} as AnyPageContext)).toEqual([]);
  expect(nextOf({ data: [], additional_data: { next_cursor: "abc" } })).toBe("abc");
  expect(nextOf({ data: [], additional_data: { next_cursor: null } })).toBeNull();
  expect(nextOf({ data: [], additional_data: null })).toBeUndefined();
});

test("a key is sent as x-api-token, an OAuth token as Bearer", () => {
  expect(manifest.authorization!({ token: "k" }, "api_key")).toEqual({ headers: { "x-api-token": "k" } });
  expect(manifest.authorization!({ token: "t" }, "oauth2")).toEqual({ headers: { authorization: "Bearer t" } });
});

describe("company", () => {
  const fits = (company: string) => new RegExp(`^(?:${manifest.settings!.company!.pattern})$`).test(company);
  const read = (api_domain: unknown) =>
    manifest.auth.oauth2!.readToken!({ access_token: "a", refresh_token: "r", expires_in: 3599, api_domain })!;

  test("the company is read from the token answer", () => {
    expect(read("https://acme-12g53f.pipedrive.com")).toEqual({
      access_token: "a",
      refresh_token: "r",
      expires_in: 3599,
      settings: { company: "acme-12g53f" },
    });
  });

  test.each([
    undefined,
    "",
    "acme",
    "http://acme.pipedrive.com",
    "https://acme.pipedrive.com.evil.example",
    "https://evil.example/.pipedrive.com",
    "https://evil.example#.pipedrive.com",
    "https://evil.example?.pipedrive.com",
    "https://user@evil.example:1.pipedrive.com",
  ])("the company is not read from the api_domain %j", (api_domain) => {
    expect(fits(read(api_domain).settings!.company!)).toBe(false);
  });
});

test("the wait after a 429 lasts until the rate limit window ends", () => {
  const wait = (status: number, headers: Record<string, string>) =>
    manifest.retryAfter!({ status, headers, body: null });
  expect(wait(429, { "x-ratelimit-reset": "2" })).toBe(2);
  expect(wait(429, {})).toBeUndefined();
  expect(wait(503, { "x-ratelimit-reset": "2" })).toBeUndefined();
});
