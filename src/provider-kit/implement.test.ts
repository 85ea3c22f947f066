import { expect, test } from "vitest";
import { keepIf } from "./implement.ts";

test("an item that a filter fails on stays, so that the engine can leave it out and report it", () => {
  const items = [{ type: "a" }, null, { type: "b" }] as { type: string }[];
  expect(keepIf(items, ({ type }) => type === "a")).toEqual([{ type: "a" }, null]);
});
