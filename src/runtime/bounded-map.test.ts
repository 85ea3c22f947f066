import { expect, it } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

it("a bounded map forgets its oldest entry when it is full", () => {
  const map = new BoundedMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([3, undefined, 4, 2]);
});

it("a bounded map forgets entries when they expire or are deleted", () => {
  let now = 0;
  const map = new BoundedMap<number>(10, 1000, () => now);
  map.set("a", 1);
  now = 999;
  expect(map.get("a")).toBe(1);
  now = 1000;
  expect(map.get("a")).toBeUndefined();
  expect(map.size).toBe(0);
  map.set("b", 2);
  map.delete("b");
  map.set("c", 3);
  map.clear();
  expect([map.get("b"), map.get("c")]).toEqual([undefined, undefined]);
});
