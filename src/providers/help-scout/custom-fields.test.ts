import { expect, test } from "vitest";
import type { CustomValue, WrittenField } from "../../contracts/custom-fields.ts";
import type { Context } from "../../contracts/provider.ts";
import { conversationFields, withWritten } from "./custom-fields.ts";

const field = (id: number, kind: string, value: CustomValue, rest: object = {}): WrittenField => ({
  name: "field",
  type: "string",
  path: `/customFields/${id}`,
  value,
  described: { path: `/customFields/${id}`, label: "", type: "string", custom: true, kind, ...rest },
});

test("custom fields that are not written are sent again, and those without a value are not", () => {
  const known = [
    { id: 1, value: "168", text: "Gold" },
    { id: 2, value: "note", text: "note" },
    { id: 3, value: "7", text: "7" },
  ];
  const choices = [{ id: "170", label: "Silver" }];
  expect(
    withWritten(known, [
      field(1, "dropdown", "Silver", { choices }),
      field(2, "multiline", null),
      field(4, "date", "2026-11-17T09:30:00Z"),
      field(5, "number", 9),
    ]),
  ).toEqual([
    { id: 3, value: "7" },
    { id: 1, value: "170" },
    { id: 4, value: "2026-11-17" },
    { id: 5, value: "9" },
  ]);
});

test("a dropdown is read by the name of its option", () => {
  const { value } = conversationFields.named!["/customFields"]!;
  expect(value({ id: 1, value: "168", text: "Gold" } as never)).toBe("Gold");
  expect(value({ id: 1, value: "168" } as never)).toBe("168");
});

test("the fields of several inboxes are told apart by the inbox", async () => {
  const bodies: Record<string, object> = {
    "/mailboxes": {
      mailboxes: [
        { id: 1, name: "Büro" },
        { id: 2, name: "Billing" },
      ],
    },
    "/mailboxes/1/fields": { fields: [{ id: 7, name: "Tier", type: "SINGLE_LINE" }] },
    "/mailboxes/2/fields": {},
  };
  const upstream = async ({ path }: { path: string }) => ({ body: { _embedded: bodies[path] } });
  expect(await conversationFields.describe!({ upstream } as unknown as Context)).toEqual([
    { path: "/customFields/7", label: "Tier (Büro)", type: "string", custom: true, kind: "singleline" },
  ]);
});
