import { expect, test } from "vitest";
import { toCompany, toDeal } from "./crm-records.ts";

test("a company of which only the ID is known has null for everything else", () => {
  expect(toCompany({ id: "1", name: " " })).toEqual({
    id: "1",
    name: null,
    website: null,
    phone: null,
    url: null,
    created_at: null,
    updated_at: null,
  });
});

test.each([
  ["https://www.acme.example/about", "acme.example"],
  ["acme.example", "acme.example"],
  ["not a website at all", null],
])("a company without a name, with the website %j, is called %j", (website, name) => {
  expect(toCompany({ id: "1", name: null, website }).name).toBe(name);
  expect(toCompany({ id: "1", name: "Acme", website }).name).toBe("Acme");
});

test("a deal of which only the ID is known has null for everything else", () => {
  expect(toDeal({ id: "1", name: null, stage: "", currency: " " })).toEqual({
    id: "1",
    name: null,
    amount: null,
    currency: null,
    stage: null,
    company_id: null,
    closes_at: null,
    url: null,
    created_at: null,
    updated_at: null,
  });
});

test.each([
  [0, 0],
  ["0", 0],
  ["1250.50", 1250.5],
  [-3, -3],
  ["", null],
  [" ", null],
  ["a lot", null],
  [null, null],
  [undefined, null],
  [Number.NaN, null],
])("the amount %j of a deal becomes %j", (amount, expected) => {
  expect(toDeal({ id: "1", name: null, amount }).amount).toBe(expected);
});

test("a deal that closes on a date closes at midnight UTC", () => {
  expect(toDeal({ id: "1", name: null, closes_at: "2026-02-28" }).closes_at).toBe("2026-02-28T00:00:00.000Z");
});
