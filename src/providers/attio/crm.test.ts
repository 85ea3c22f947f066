import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, requestsOfChange } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import attioCrm, { type AttioCompany, type AttioDeal } from "./crm.ts";
import attio from "./manifest.ts";
import type { AttioPerson } from "./records.ts";

const manifest: Manifest = attio;
const { request, next, record } = attioCrm.operations.listContacts as AnyList;

const person = (values: AttioPerson["values"]) => ({ id: { record_id: "r1" }, values });

describe("contacts that are changed", () => {
  async function valuesFor(input: object, values: AttioPerson["values"]) {
    const change = attioCrm.operations.updateContact;
    const { calls, sent } = await requestsOfChange(change, { contact_id: "r1", ...input }, { data: person(values) });
    expect(calls).toEqual(["GET /objects/people/records/r1", "PUT /objects/people/records/r1"]);
    return sent.data.values;
  }

  test("a changed email address or phone number replaces the first one, and the others stay", async () => {
    const known = {
      email_addresses: [{ email_address: "a@example.com" }, { email_address: "b@example.com" }],
      phone_numbers: [{ phone_number: "+491" }, { phone_number: "+492" }],
    };
    expect(await valuesFor({ email: "new@example.com" }, known)).toEqual({
      email_addresses: ["new@example.com", "b@example.com"],
    });
    expect(await valuesFor({ phone: "+493" }, known)).toEqual({ phone_numbers: ["+493", "+492"] });
    expect(await valuesFor({ phone: "+493" }, {})).toEqual({ phone_numbers: ["+493"] });
  });

  test("a changed part of the name is sent with the other part", async () => {
    const name = [{ first_name: "Ada", last_name: "Lovelace", full_name: "Ada Lovelace" }];
    expect(await valuesFor({ last_name: "Byron" }, { name })).toEqual({
      name: [{ first_name: "Ada", last_name: "Byron", full_name: "Ada Byron" }],
    });
    expect(await valuesFor({ first_name: "Ada" }, { name: [] })).toEqual({
      name: [{ first_name: "Ada", last_name: "", full_name: "Ada" }],
    });
  });
});

describe("contacts", () => {
  const recordOf = (values: AttioPerson["values"]) => record(person(values), {} as AnyPageContext);
  const email_addresses = [{ email_address: "ada@example.com" }, { email_address: "second@example.com" }];

  test.each([
    [{ name: [{ full_name: "Ada Lovelace", first_name: "Ada", last_name: "Lovelace" }] }, "Ada Lovelace"],
    [{ name: [{ full_name: "", first_name: "Ada", last_name: "" }] }, "Ada"],
    [{ name: [{ full_name: null, first_name: null, last_name: "d’Arc" }] }, "d’Arc"],
    [{ name: [{ full_name: " ", first_name: "", last_name: "" }], email_addresses }, "ada@example.com"],
    [{ name: [], email_addresses }, "ada@example.com"],
    [{ name: [], email_addresses: [] }, "r1"],
    [{}, "r1"],
  ])("a person with %j becomes a contact named %j", (values, name) => {
    expect(recordOf(values).name).toBe(name);
  });

  test("a contact has the first email address of the person, or null", () => {
    expect(recordOf({ email_addresses }).email).toBe("ada@example.com");
    expect(recordOf({ email_addresses: [] }).email).toBeNull();
    expect(recordOf({}).email).toBeNull();
  });
});

const RECORD = {
  id: { record_id: "r1" },
  web_url: "https://app.attio.com/acme/person/r1",
  created_at: "2022-11-21T13:22:49.061281000Z",
};
const KEPT = {
  id: "r1",
  url: "https://app.attio.com/acme/person/r1",
  created_at: "2022-11-21T13:22:49.061Z",
  updated_at: null,
};
const recordOf = (name: string, item: AttioPerson | AttioCompany | AttioDeal) =>
  (attioCrm.operations[name] as AnyList).record(item, {} as AnyPageContext);

test("a contact has the first phone number and company of the person, its page, and no time of update", () => {
  const values = {
    name: [{ full_name: "Ada Lovelace", first_name: "Ada", last_name: "" }],
    phone_numbers: [{ phone_number: "+49221000000" }, { phone_number: "+1" }],
    company: [{ target_record_id: "c1" }],
  };
  expect(recordOf("listContacts", { ...RECORD, values })).toEqual({
    ...KEPT,
    name: "Ada Lovelace",
    email: null,
    first_name: "Ada",
    last_name: null,
    phone: "+49221000000",
    company_id: "c1",
  });
});

test.each([
  [{ name: [{ value: "Größe" }], domains: [{ domain: "a.example" }, { domain: "b.example" }] }, "Größe", "a.example"],
  [{ name: [], domains: [] }, null, null],
  [{}, null, null],
])("a company with the values %j has the name %j and the website %j", (values, name, website) => {
  expect(recordOf("listCompanies", { ...RECORD, values })).toEqual({ ...KEPT, name, website, phone: null });
});

test("a deal has its value, the title of its stage and its company", () => {
  const values = {
    name: [{ value: "Contract" }],
    stage: [{ status: { title: "Won 🎉" } }],
    value: [{ currency_value: 0, currency_code: "EUR" }],
    associated_company: [{ target_record_id: "c1" }],
  };
  const dates = { closes_at: null };
  expect(recordOf("listDeals", { ...RECORD, values })).toEqual({
    ...KEPT,
    ...dates,
    name: "Contract",
    amount: 0,
    currency: "EUR",
    stage: "Won 🎉",
    company_id: "c1",
  });
  const nothing = { name: null, amount: null, currency: null, stage: null, company_id: null };
  expect(recordOf("listDeals", { ...RECORD, values: {} })).toEqual({ ...KEPT, ...dates, ...nothing });
  expect(recordOf("listDeals", { ...RECORD, values: { stage: [], value: [] } })).toMatchObject(nothing);
});

describe("paging", () => {
  const context = (limit: number, cursor?: number, input = {}) => ({ limit, cursor, input }) as AnyPageContext;
  const nextOf = (count: number, limit: number, cursor?: number) =>
    next({ status: 200, headers: {}, body: { data: Array(count).fill(person({})) } }, context(limit, cursor));

  test("a page of people is requested by limit and offset, starting at 0", () => {
    expect(request(context(100)).locked).toEqual({ limit: 100, offset: 0 });
    expect(request(context(100, 200)).locked).toEqual({ limit: 100, offset: 200 });
  });

  test("people are searched for by each word, in names and in email addresses", () => {
    const { locked } = request(context(100, 200, { query: 'zoë "example.com' }));
    const withWord = (word: string) => ({
      $or: [{ name: { full_name: { $contains: word } } }, { email_addresses: { email_address: { $contains: word } } }],
    });
    expect(locked).toEqual({ filter: { $and: [withWord("zoë"), withWord("example.com")] }, limit: 100, offset: 200 });
  });

  test("a page of people that is not full is the last one", () => {
    expect(nextOf(100, 100)).toBe(100);
    expect(nextOf(100, 100, 100)).toBe(200);
    expect(nextOf(99, 100, 200)).toBeNull();
    expect(nextOf(0, 100, 300)).toBeNull();
  });
});

test("a 200 response that reports an inactive token counts as a 401", () => {
  const status = (body: unknown) => manifest.failed!({ status: 200, headers: {}, body });
  expect(status({ active: false })).toBe(401);
  for (const body of [{ active: true }, { data: [] }, {}, null, []]) expect(status(body)).toBeUndefined();
});
