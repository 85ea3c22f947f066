import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import attioCrm, { type AttioPerson } from "./crm.ts";
import attio from "./manifest.ts";

const manifest: Manifest = attio;
const { request, next, record } = attioCrm.operations.listContacts as AnyList;

const person = (values: AttioPerson["values"]) => ({ id: { record_id: "r1" }, values });

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

describe("paging", () => {
  const context = (limit: number, cursor?: number) => ({ limit, cursor }) as AnyPageContext;
  const nextOf = (count: number, limit: number, cursor?: number) =>
    next({ status: 200, headers: {}, body: { data: Array(count).fill(person({})) } }, context(limit, cursor));

  test("a page of people is requested by limit and offset, starting at 0", () => {
    expect(request(context(100)).locked).toEqual({ limit: 100, offset: 0 });
    expect(request(context(100, 200)).locked).toEqual({ limit: 100, offset: 200 });
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
