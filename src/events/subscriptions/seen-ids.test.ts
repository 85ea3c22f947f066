import { expect, it } from "vitest";
import { SeenIds } from "./seen-ids.ts";

it("the seen ids contain every id that was added, and no other", () => {
  const seen = new SeenIds();
  for (let index = 0; index < 20_000; index++) seen.add(`id ${index}`);
  for (let index = 0; index < 20_000; index++) seen.add(`id ${index}`);
  expect(seen.size).toBe(20_000);
  const known = Array.from({ length: 40_000 }, (_, index) => index).filter((index) => seen.has(`id ${index}`));
  expect(known).toEqual(Array.from({ length: 20_000 }, (_, index) => index));
});

it("many ids have no hash in common", () => {
  const seen = new SeenIds();
  // With hashes of 32 bits, about ten of them would.
  for (let index = 0; index < 300_000; index++) seen.add(`id ${index}`);
  expect(seen.size).toBe(300_000);
});

it("the seen ids are restored from what was taken, part by part", () => {
  const seen = new SeenIds();
  const restored = new SeenIds();
  for (let part = 0; part < 10; part++) {
    for (let index = 0; index < 100; index++) seen.add(`${part} ${index % 90}`);
    restored.restore(seen.takeAdded());
  }
  expect(seen.takeAdded().length).toBe(0);
  expect(restored.size).toBe(900);
  expect(restored.takeAdded().length).toBe(0);
  expect(restored.has("9 89")).toBe(true);
  expect(restored.has("9 90")).toBe(false);
});
