import Type from "typebox";
import { expect, it } from "vitest";
import { operations } from "../categories/index.ts";
import { serializedRecord, serializedResponse } from "../surfaces/unified/response.ts";
import { exactCheck } from "./exact-check.ts";
import { buildLazySerializer } from "./lazy-serializers.ts";

const Task = Type.Object(
  {
    id: Type.String(),
    created_at: Type.Unsafe<string | null>({ type: ["string", "null"], format: "date-time" }),
    tags: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);
const task = { id: "1", created_at: "2026-01-02T03:04:05.678Z", tags: [{ name: 'a "b"\u2028' }] };
const serializerOf = (schema: object) => buildLazySerializer({}, {})({ schema, method: "GET", url: "/" } as never);

it("a body that is exactly what its schema says is checked, not serialized by schema", () => {
  const isExact = exactCheck(Task)!;
  for (const exact of [task, { ...task, created_at: null }, { ...task, created_at: "any text", tags: [] }])
    expect(isExact(exact)).toBe(true);
  const { id: _, ...withoutId } = task;
  for (const odd of [
    { ...task, id: 1 },
    { ...task, id: null },
    { ...task, more: true },
    { ...task, tags: [{ name: "a", more: true }] },
    { ...task, tags: null },
    withoutId,
    null,
  ])
    expect(isExact(odd)).toBe(false);
});

it("a response has the types and the fields of its schema, whatever the body has", () => {
  const serialize = serializerOf(Task);
  expect(serialize(task)).toBe(JSON.stringify(task));
  const odd = { ...task, id: 1, secret: "s", tags: [{ name: 2, secret: "s" }] };
  expect(JSON.parse(serialize(odd))).toEqual({ ...task, tags: [{ name: "2" }] });
  expect(() => serialize({ id: "1", tags: [] })).toThrow("created_at");
});

it("a schema that leaves something open is always serialized by schema", () => {
  const open = [
    Type.Object({ id: Type.String() }),
    Type.Object({ task: Type.Object({ id: Type.String() }) }, { additionalProperties: false }),
    Type.Object({ tasks: Type.Array(Type.Object({})) }, { additionalProperties: false }),
    Type.Object({ task: Type.Union([Task, Type.Null()]) }, { additionalProperties: false }),
    { type: "object", additionalProperties: false, properties: { tasks: { type: "array" } } },
  ];
  for (const schema of open) expect(exactCheck(schema)).toBeUndefined();
  expect(serializerOf(open[0]!)({ id: "1", secret: "s" })).toBe('{"id":"1"}');
});

it("every response with records can be checked", () => {
  // Others are a file, or the provider's own response.
  for (const operation of operations.filter(({ kind }) => kind !== "send" && kind !== "download")) {
    expect(exactCheck(serializedResponse(operation)), operation.id).toBeDefined();
    expect(exactCheck(serializedRecord(operation)), operation.id).toBeDefined();
  }
});
