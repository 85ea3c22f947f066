import Type from "typebox";
import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { Nullable } from "../../categories/schema.ts";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import { CancelledError } from "../http/cancellation.ts";
import { assertComplete, createFormatGuard, readItems } from "./format-guard.ts";

const malformed = vi.fn();
const guardFormat = createFormatGuard({ malformed });
const fails = (error: Error) => () => {
  throw error;
};
/** Reads items, and fails with 1. */
const read = (error: Error) => (item: number) => (item === 1 ? fails(error)() : item);

beforeEach(() => void vi.resetAllMocks());

it("whatever a provider's code fails with means another format than documented, and is reported", async () => {
  const error = new TypeError("Cannot read properties of undefined");
  await expect(Promise.try(() => guardFormat(testConnection(), fails(error)))).rejects.toMatchObject({
    kind: "upstream_malformed",
  });
  expect(malformed.mock.calls).toEqual([[{ provider: "acme", connection_id: "conn_1", err: error }]]);
});

it("an error that says what happened stays as it is, of a whole answer and of an item", async () => {
  for (const error of [
    new Fault("invalid_input", "no"),
    new ProviderFailure(404, {}, Buffer.from("")),
    new CancelledError(),
  ]) {
    await expect(Promise.try(() => guardFormat(testConnection(), fails(error)))).rejects.toBe(error);
    await expect(Promise.try(() => readItems([2, 1], read(error)))).rejects.toBe(error);
  }
  expect(malformed).not.toHaveBeenCalled();
});

it("an item that cannot be read is left out with its reason, unless none can be read", async () => {
  const odd = new TypeError("id is undefined");
  expect(await readItems([1, 2, 1], read(odd))).toEqual({ records: [2], skipped: 2, reason: "id is undefined" });
  // The message of another error may quote the item.
  expect(await readItems([1, 2], read(new SyntaxError("in secret")))).toMatchObject({ reason: "SyntaxError" });
  expect(await readItems([2], read(odd))).toEqual({ records: [2], skipped: 0, reason: "" });
  expect(await readItems([], read(odd))).toEqual({ records: [], skipped: 0, reason: "" });
  await expect(Promise.try(() => readItems([1, 1], read(odd)))).rejects.toBe(odd);
  await expect(Promise.try(() => readItems({} as never, read(odd)))).rejects.toThrow("not a list");
});

it("a record is complete with null, and not without a field", () => {
  const schema = Type.Object({ id: Type.String(), note: Type.Optional(Type.String()) });
  expect(() => assertComplete(schema, { id: null })).not.toThrow();
  expect(() => assertComplete(schema, { note: "n" })).toThrow("the record has no id");
  expect(() => assertComplete(Type.Object({}), {})).not.toThrow();
});

it("a record is incomplete if a part of it is", () => {
  const person = Type.Object({ id: Type.String() });
  const schema = Type.Object({
    labels: Type.Array(Type.String()),
    people: Type.Array(person),
    author: Nullable(person),
    custom: Type.Object({}),
  });
  const record = { labels: ["a"], people: [{ id: "1" }], author: null, custom: { tier: undefined } };
  expect(() => assertComplete(schema, record)).not.toThrow();
  for (const change of [{ labels: ["a", undefined] }, { people: [{}] }, { people: [null] }, { author: {} }])
    expect(() => assertComplete(schema, { ...record, ...change }), JSON.stringify(change)).toThrow(TypeError);
});
