import { expect, test } from "vitest";
import type { HookRequest } from "../../contracts/hooks.ts";
import { hooks } from "./hooks.ts";

test("events of both formats are understood, and each account is named once", () => {
  const body = [
    { subscriptionType: "contact.propertyChange", portalId: 1 },
    { subscriptionType: "object.creation", objectTypeId: "0-3", portalId: 2 },
    { subscriptionType: "object.deletion", objectTypeId: "0-2", portalId: 1 },
    { subscriptionType: "object.creation", objectTypeId: "2-77", portalId: 1 },
  ];
  const request = { body } as HookRequest;
  expect(hooks.events!(request)).toEqual([
    "contact.propertyChange",
    "deal.creation",
    "company.deletion",
    "object.creation",
  ]);
  expect(hooks.accounts(request)).toEqual(["1", "2"]);
});

test("a request that has no events is about no account", () => {
  for (const body of [undefined, null, {}, "text"]) expect(hooks.accounts({ body } as HookRequest)).toEqual([]);
});
