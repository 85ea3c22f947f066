import { expect, it } from "vitest";
import { allowsTool, hiddenFields, type ToolLimits } from "./tool-packs.ts";

const everything: ToolLimits = { categories: null, tools: null, access: "write" };
const read = { category: "crm", name: "crm_list_contacts", isWrite: false };
const write = { category: "crm", name: "crm_create_contact", isWrite: true };
const other = { category: "chat", name: "chat_list_users", isWrite: false };

it.each<[string, ToolLimits[], boolean[]]>([
  ["no limit", [], [true, true, true]],
  ["a limit that allows everything", [everything], [true, true, true]],
  ["one category", [{ ...everything, categories: ["crm"] }], [true, true, false]],
  ["no category", [{ ...everything, categories: [] }], [false, false, false]],
  ["two tools", [{ ...everything, tools: [write.name, other.name] }], [false, true, true]],
  ["read access", [{ ...everything, access: "read" }], [true, false, true]],
  [
    "a category and a tool of another",
    [{ ...everything, categories: ["crm"], tools: [other.name] }],
    [false, false, false],
  ],
  ["a write tool with read access", [{ categories: null, tools: [write.name], access: "read" }], [false, false, false]],
])("of a tool that reads, one that writes and one of another category, %s allows %j", (_, limits, expected) => {
  expect([read, write, other].map((tool) => allowsTool(limits, tool))).toEqual(expected);
});

it("several limits allow only what each of them allows", () => {
  const pack: ToolLimits = { categories: ["crm"], tools: null, access: "write" };
  const query: ToolLimits = { categories: ["crm", "chat"], tools: null, access: "read" };
  expect([read, write, other].map((tool) => allowsTool([pack, query], tool))).toEqual([true, false, false]);
  expect([read, write, other].map((tool) => allowsTool([query, pack], tool))).toEqual([true, false, false]);
});

it("hidden fields are those of the record, of all packs together", () => {
  const packs = [
    { hide: ["crm.contact.email", "crm.company.phone"] },
    { hide: ["crm.contact.phone", "crm.contacts.id"] },
  ];
  expect([...hiddenFields(packs, "crm.contact")]).toEqual(["email", "phone"]);
  expect([...hiddenFields(packs, "crm.deal")]).toEqual([]);
  expect([...hiddenFields([], "crm.contact")]).toEqual([]);
});
