import { expect, it, vi } from "vitest";
import { createPlaceMemory } from "./places.ts";

const placesOf = (...ids: string[]) => ids.map((id) => ({ id }));

it("the places of a walk are read at its first page and remembered for the others", async () => {
  const memory = createPlaceMemory();
  const load = vi.fn(async () => placesOf("a", "b"));
  expect(await memory.placesFor("walk", true, load)).toEqual(placesOf("a", "b"));
  expect(await memory.placesFor("walk", false, load)).toEqual(placesOf("a", "b"));
  expect(load).toHaveBeenCalledTimes(1);
  await memory.placesFor("walk", true, load);
  await memory.placesFor("another walk", false, load);
  expect(load).toHaveBeenCalledTimes(3);
});

it("places are read again after they were forgotten, and after five minutes", async () => {
  vi.useFakeTimers();
  try {
    const memory = createPlaceMemory();
    const load = vi.fn(async () => placesOf("a"));
    await memory.placesFor("walk", true, load);
    memory.forget("walk");
    await memory.placesFor("walk", false, load);
    expect(load).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5 * 60_000 - 1);
    await memory.placesFor("walk", false, load);
    expect(load).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1);
    await memory.placesFor("walk", false, load);
    expect(load).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});

it("more than a thousand places are not remembered", async () => {
  const memory = createPlaceMemory();
  const ids = Array.from({ length: 1001 }, (_, index) => String(index));
  const many = vi.fn(async () => placesOf(...ids));
  await memory.placesFor("walk", true, many);
  await memory.placesFor("walk", false, many);
  expect(many).toHaveBeenCalledTimes(2);
  const enough = vi.fn(async () => placesOf(...ids.slice(1)));
  await memory.placesFor("walk", true, enough);
  await memory.placesFor("walk", false, enough);
  expect(enough).toHaveBeenCalledTimes(1);
});
