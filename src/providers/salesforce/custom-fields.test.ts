import type { Field } from "@jsforce/jsforce-node";
import { expect, test } from "vitest";
import type { Context } from "../../contracts/provider.ts";
import { customFields, type SalesforceField } from "./custom-fields.ts";

/** A compile-time check that Salesforce's client knows the description of a field as it is read here. */
const fieldOf = (field: Field): SalesforceField => field;

const { describe, convert, write } = customFields("Contact");

async function described(...fields: Partial<SalesforceField>[]) {
  const upstream = async () => ({
    status: 200,
    headers: {},
    body: { fields: fields.map((field) => fieldOf(field as Field)) },
  });
  return describe!({ upstream } as unknown as Context);
}

test("a field is described with its type, and a restricted picklist with what can be chosen", async () => {
  const picklistValues = [{ label: "Gold!", value: "gold" }];
  expect(
    await described(
      { name: "Tier__c", label: "Tier", type: "picklist", custom: true, restrictedPicklist: true, picklistValues },
      { name: "Is_VIP__c", label: "VIP", type: "boolean", custom: true, restrictedPicklist: false },
      { name: "MailingAddress", label: "Address", type: "address", custom: false, restrictedPicklist: false },
    ),
  ).toEqual([
    {
      path: "/Tier__c",
      label: "Tier",
      type: "string",
      custom: true,
      kind: "picklist",
      choices: [{ id: "gold", label: "Gold!" }],
    },
    { path: "/Is_VIP__c", label: "VIP", type: "boolean", custom: true, kind: "boolean" },
    { path: "/MailingAddress", label: "Address", type: null, custom: false, kind: "address" },
  ]);
});

test("several choices are one text", () => {
  expect(convert!("Chess;日本語", "strings")).toEqual(["Chess", "日本語"]);
  expect(convert!("a;b", "string")).toBe("a;b");
});

test.each([
  ["picklist", "Gold!", "gold"],
  ["multipicklist", ["gold", "Gold!"], "gold;gold"],
  ["date", "2026-11-17T23:30:00Z", "2026-11-17"],
  ["datetime", "2026-11-17", "2026-11-17T00:00:00.000Z"],
  ["double", 7.5, 7.5],
  ["boolean", false, false],
  ["string", null, null],
] as const)("a value of type %s is written in Salesforce's format", (kind, value, sent) => {
  const choices = kind.endsWith("picklist") ? [{ id: "gold", label: "Gold!" }] : undefined;
  const field = { name: "field", type: "string", path: "/Own__c", value, described: { kind, choices } };
  expect(write!([field] as never, {} as Context)).toEqual({ Own__c: sent });
});
