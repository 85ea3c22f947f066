import Type from "typebox";
import { describe, expect, it } from "vitest";
import { NullableText } from "../../src/categories/schema.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { ListImplementation, PageContext, Provider } from "../../src/contracts/provider.ts";
import { watchRecords } from "./record-problems.ts";

describe("the check of records", () => {
  const record = Type.Object(
    {
      id: Type.String(),
      author: Type.Object({ name: Type.String() }),
      sent_at: Type.String({ format: "date-time" }),
      text: Type.Optional(NullableText()),
      email: Type.Optional(NullableText()),
      url: Type.Optional(NullableText()),
    },
    { additionalProperties: false },
  );
  const operation = { id: "toys.listToys", name: "listToys", category: "toys", record } as unknown as BoundOperation;

  function problemsOf(made: unknown): string[] {
    const implementation = { record: () => made } as unknown as ListImplementation;
    const provider = {
      manifest: { id: "toy" },
      categories: [{ category: "toys", operations: { listToys: implementation } }],
    } as unknown as Provider;
    const { problems, providers: wrapped } = watchRecords([provider], [operation]);
    const { record: make } = wrapped[0]!.categories[0]!.operations.listToys as ListImplementation;
    expect(make({}, {} as PageContext)).toBe(made);
    return [...problems.get("toy toys.listToys")!];
  }

  it("the check of records names a field that is missing, has a wrong type, or does not belong to the record", () => {
    expect(problemsOf({ id: "1", author: { name: "Ada" }, sent_at: "2024-01-01T00:00:00Z" })).toEqual([]);
    expect(problemsOf({ id: undefined, author: {}, sent_at: "yesterday", extra: 1 }).sort()).toEqual([
      "author.name is required",
      "extra is not a field of this record",
      "id is required",
      'sent_at must match format "date-time"',
    ]);
    expect(problemsOf({ id: null, author: { name: 5 }, sent_at: "2024-01-01T00:00:00Z" }).sort()).toEqual([
      "author.name must be string",
      "id must be string",
    ]);
  });

  it("the check of records names a field that is not in its place", () => {
    expect(problemsOf({ author: { name: "Ada" }, id: "1", sent_at: "2024-01-01T00:00:00Z" })).toEqual([
      "author is not in the place that it has in the table",
    ]);
  });

  it("the check of records names texts that are blank or have other line ends, and addresses that are none", () => {
    const rest = { id: "", author: { name: "" }, sent_at: "2024-01-01T00:00:00Z" };
    const fine = { ...rest, text: "a\nb", email: "a@example.com", url: "https://example.com" };
    expect(problemsOf(fine)).toEqual([]);
    expect(problemsOf({ ...fine, text: null, email: null, url: null })).toEqual([]);
    expect(problemsOf({ ...rest, author: { name: "a\r\nb" }, text: " ", email: "Ada", url: "/ada" }).sort()).toEqual([
      "author.name has line ends with a carriage return",
      "email is no email address",
      "text is blank instead of null",
      "url is no web address",
    ]);
  });
});
