import { describe, expect, it } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { CustomField, CustomFieldType } from "../../contracts/custom-fields.ts";
import { post } from "../../provider-kit/request.ts";
import { appliesTo, declaredFields } from "./declared.ts";
import { createKnownFields } from "./known-fields.ts";
import { offeredFields } from "./offered.ts";
import { compilePointer, createReader } from "./read.ts";
import { createRecordFields } from "./record-fields.ts";
import { toCustomValue, typeOf, valueProblem } from "./values.ts";
import { withAdded } from "./write.ts";

describe("values", () => {
  it.each<[CustomFieldType, unknown, unknown]>([
    ["string", "gold", "gold"],
    ["string", 7, "7"],
    ["string", true, "true"],
    ["string", "", null],
    ["string", { value: "Gold", id: "1" }, "Gold"],
    ["string", { name: "Ada" }, "Ada"],
    ["string", { self: "x" }, null],
    ["string", ["a"], null],
    ["number", 0, 0],
    ["number", "42.5", 42.5],
    ["number", " ", null],
    ["number", "many", null],
    ["number", Number.NaN, null],
    ["boolean", false, false],
    ["boolean", "true", true],
    ["boolean", 1, null],
    ["date", "2026-11-17", "2026-11-17"],
    ["date", "2026-11-17T10:00:00+02:00", "2026-11-17T08:00:00.000Z"],
    ["date", 1_508_369_194_377, "2017-10-18T23:26:34.377Z"],
    ["date", "1508369194377", "2017-10-18T23:26:34.377Z"],
    ["date", "2026-13-45", null],
    ["date", "tomorrow", null],
    ["date", 1e17, null],
    ["date", ["2026-11-17"], null],
    ["strings", ["a", 7], ["a", "7"]],
    ["strings", [{ value: "a" }], ["a"]],
    ["strings", "a", ["a"]],
    ["strings", [], []],
    ["strings", [null], null],
    ["strings", { a: 1 }, null],
    ["number", undefined, null],
  ])("as a %s, %j is %j", (type, value, expected) => expect(toCustomValue(type, value)).toEqual(expected));

  it("a value that is written must be of the type, or null", () => {
    const good: [CustomFieldType, unknown][] = [
      ["string", "a"],
      ["number", 1],
      ["boolean", true],
      ["date", "2026-11-17"],
      ["date", "2026-11-17T09:30:00Z"],
      ["date", "2028-02-29T23:00:00.5-05:00"],
      ["strings", ["a"]],
    ];
    for (const [type, value] of good)
      expect([valueProblem(type, value), valueProblem(type, null)]).toEqual([undefined, undefined]);
    const bad: [CustomFieldType, unknown][] = [
      ["string", 1],
      ["number", "1"],
      ["boolean", "true"],
      ["date", "1508369194377"],
      ["date", 7],
      ["date", "2026-02-30"],
      ["date", "2026-02-30T09:30:00Z"],
      ["date", "2026-13-01"],
      ["date", "2026-11-17T25:00:00Z"],
      ["date", "2026-11-17T09:30"],
      ["strings", "a"],
      ["strings", [1]],
    ];
    for (const [type, value] of bad) expect([type, value, valueProblem(type, value)]).not.toContain(undefined);
  });

  it("the type of a value is guessed", () => {
    expect([1, true, "a", "2026-11-17", "1508369194377", ["a"], [], {}, null].map(typeOf)).toEqual([
      "number",
      "boolean",
      "string",
      "date",
      "string",
      "strings",
      null,
      null,
      null,
    ]);
  });
});

describe("pointers", () => {
  const item = { a: { "b/c": { "~": 1 } }, list: ["x", { y: 2 }], fields: [{ id: 7, value: "seven", more: { z: 3 } }] };
  const named = { "/fields": { key: "id", value: ({ value }: { value: string }) => value } };

  it.each<[string, unknown]>([
    ["/a/b~1c/~0", 1],
    ["/list/0", "x"],
    ["/list/1/y", 2],
    ["/list/length", undefined],
    ["/list/9", undefined],
    ["/a/none/deeper", undefined],
    ["/fields/7", "seven"],
    ["/fields/7/more/z", 3],
    ["/fields/0", undefined],
    ["/__proto__/toString", undefined],
    ["/constructor/name", undefined],
    ["/a/__proto__", undefined],
    ["/a".repeat(10_000), undefined],
  ])("%s leads to %j", (pointer, expected) => expect(compilePointer(pointer, named)(item)).toBe(expected));

  it("a member with the name of an inherited one is found if the provider sent it", () => {
    expect(compilePointer("/constructor", undefined)({ constructor: 1 })).toBe(1);
    expect(compilePointer("/length", undefined)({ length: 2 })).toBe(2);
  });

  it.each([undefined, null, 7, "text", []])("nothing is found in %j", (hostile) => {
    for (const pointer of ["/a/b", "/fields/7", "/length"])
      expect(createReader([{ name: "f", type: "string", path: pointer }], { named })(hostile).f ?? null).toBeNull();
  });

  it("a field of another provider is null, and a name of ours is only a name", () => {
    const read = createReader(
      [
        { name: "constructor", type: "number", path: "/n" },
        { name: "elsewhere", type: "string", path: null },
      ],
      undefined,
    );
    expect(Object.entries(read({ n: 1 }))).toEqual([
      ["constructor", 1],
      ["elsewhere", null],
    ]);
  });
});

describe("declarations", () => {
  const field = (change: Partial<CustomField>): CustomField => ({
    id: "cf_1",
    record: "crm.contact",
    name: "tier",
    type: "string",
    paths: { acme: "/workspace" },
    integration_id: null,
    connection_id: null,
    ...change,
  });
  const all = [
    field({ connection_id: "conn_1", paths: { acme: "/connection" } }),
    field({}),
    field({ integration_id: "int_1", paths: { acme: "/integration" } }),
    field({ name: "other", paths: { elsewhere: "/x" } }),
    field({ record: "crm.deal" }),
  ];

  it("the nearest one of a name counts", () => {
    const at = (connection: { id: string; integration_id: string }) =>
      declaredFields(
        all.filter((one) => appliesTo(connection, one)),
        "crm.contact",
        "acme",
      );
    expect(at({ id: "conn_1", integration_id: "int_1" })).toEqual([
      { name: "other", type: "string", path: null },
      { name: "tier", type: "string", path: "/connection" },
    ]);
    expect(at({ id: "conn_2", integration_id: "int_1" })[1]).toMatchObject({ path: "/integration" });
    expect(at({ id: "conn_2", integration_id: "int_2" })[1]).toMatchObject({ path: "/workspace" });
  });
});

it("what is added to a write is merged, and values that the engine needs stay", () => {
  const request = post("/x", { ticket: { subject: "a", tags: ["a"] }, data: [{ a: 1 }] }, { page: 1 });
  const added = [
    { ticket: { tags: ["b"], group: 5 } },
    { data: [{ b: 2 }, { c: 3 }], page: 9, ticket: { subject: "b" } },
  ];
  expect(withAdded(request, added).body).toEqual({
    ticket: { subject: "b", tags: ["b"], group: 5 },
    data: [{ a: 1, b: 2 }, { c: 3 }],
    page: 1,
  });
  const odd = [{ ticket: [{ a: 1 }], data: { a: 1 } }, { ticket: "text" }];
  expect(withAdded(request, odd.slice(0, 1)).body).toMatchObject(odd[0]!);
  expect(withAdded(request, odd.slice(1)).body).toMatchObject(odd[1]!);
  const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
  withAdded(request, [hostile]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(withAdded(request, [])).toBe(request);
});

it.each([
  ["id", 7, "99"],
  ["field_id", "a", "b"],
])("additions to the same list are both written if %s identifies every entry", (key, one, other) => {
  const added = (id: unknown, more: object) => ({ ticket: { custom_fields: [{ [key]: id, ...more }] } });
  const request = post("/x", added(one, { value: "old", kept: true }));
  const written = withAdded(request, [added(one, { value: "gold" }), added(other, { value: "x" })]);
  expect(written.body).toEqual({
    ticket: {
      custom_fields: [
        { [key]: one, value: "gold", kept: true },
        { [key]: other, value: "x" },
      ],
    },
  });
  expect(withAdded(request, [added(String(one), { value: "gold" })]).body).toMatchObject({
    ticket: { custom_fields: [{ value: "gold" }] },
  });
});

it("a list in which an entry has no id, or that is empty, is replaced, and its objects are merged with those at their place", () => {
  const merged = (before: unknown[], added: unknown[]) => withAdded(post("/x", { before }), [{ before: added }]).body;
  expect(merged([{ id: 1, a: 1 }], [{ b: 2 }])).toEqual({ before: [{ id: 1, a: 1, b: 2 }] });
  expect(merged([{ a: 1 }, { a: 2 }], [{ id: 1 }])).toEqual({ before: [{ a: 1, id: 1 }] });
  expect(merged([{ id: 1 }, "text"], [{ id: 2 }])).toEqual({ before: [{ id: 2 }] });
  expect(merged([{ id: 1 }], [])).toEqual({ before: [] });
});

it("fields are offered as the provider describes them, and as its items have them", () => {
  const described = [
    { path: "/properties/tier", label: "Tier", type: "string", custom: true },
    { path: "/properties/blob", label: "Blob", type: null, custom: true },
  ] as const;
  const items = [
    { id: 1, properties: { tier: null, blob: { a: 1 } } },
    {
      id: 2,
      properties: { tier: { value: "Gold" } },
      text: "x".repeat(300),
      deep: { a: { b: { c: { d: { e: 1 } } } } },
    },
  ];
  const offered = offeredFields(described, items, undefined);
  expect(offered.map(({ path, custom, example }) => [path, custom, String(example).length])).toEqual([
    ["/properties/tier", true, 4],
    ["/id", false, 1],
    ["/text", false, 201],
  ]);
});

it("the custom fields of a record are looked up once", () => {
  const fieldsOf = createRecordFields(testConnection().provider, []);
  expect(fieldsOf("crm.contact")).toBe(fieldsOf("crm.contact"));
  expect(fieldsOf("crm.contact")).not.toBe(fieldsOf("crm.company"));
});

it("what a provider says about its fields is remembered for five minutes, and forgotten on demand", async () => {
  let now = 0;
  let calls = 0;
  const known = createKnownFields(() => now);
  const source = {
    async describe() {
      calls++;
      return [];
    },
  };
  const fields = { declared: [], source, read: () => ({}), paths: [] };
  const describe = () => known.describe("conn_1 crm.contact", fields, {} as never);
  await describe();
  await describe();
  expect(calls).toBe(1);
  now = 5 * 60_000;
  await describe();
  known.forget("conn_1 crm.contact");
  await describe();
  expect(calls).toBe(3);
});
