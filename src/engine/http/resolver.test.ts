import type { LookupAddress } from "node:dns";
import { expect, it } from "vitest";
import { createResolver } from "./resolver.ts";

const address = (name: string): LookupAddress[] => [{ address: `192.0.2.${name.length}`, family: 4 }];
const all = { all: true } as const;

it("concurrent lookups of a name are made once, so that a slow name does not block others", async () => {
  const slow = Promise.withResolvers<LookupAddress[]>();
  const asked: string[] = [];
  const resolve = createResolver(
    () => {},
    async (name) => {
      asked.push(name);
      return name === "slow" ? slow.promise : address(name);
    },
  );
  const find = (name: string) =>
    new Promise<unknown>((done, fail) => resolve(name, all, (error, found) => (error ? fail(error) : done(found))));

  const waiting = Array.from({ length: 300 }, () => find("slow"));
  expect(await find("quick")).toEqual(address("quick"));
  expect(asked).toEqual(["slow", "quick"]);

  slow.resolve(address("slow"));
  expect(new Set(await Promise.all(waiting))).toHaveLength(1);
  await find("slow");
  expect(asked).toEqual(["slow", "quick", "slow"]);
});

it("concurrent lookups of a name for other kinds of addresses are others", async () => {
  const asked: unknown[] = [];
  const resolve = createResolver(
    () => {},
    async (name, { family, hints }) => {
      asked.push([family, hints]);
      return address(name);
    },
  );
  const kinds = [{}, { family: 4 }, { family: 6 }, { hints: 32 }, { family: 6, hints: 32 }];
  await Promise.all(
    [...kinds, ...kinds].map((kind) => new Promise((done) => resolve("host", { ...kind, all: true }, done))),
  );
  expect(asked).toEqual(kinds.map(({ family, hints }: { family?: number; hints?: number }) => [family, hints]));
});

it("every caller of a failed or refused lookup gets the error, and the next lookup is made again", async () => {
  let failures = 1;
  const resolve = createResolver(
    (name) => {
      if (name === "private") throw new Error("refused");
    },
    async (name) => {
      if (failures-- > 0) throw new Error("no such name");
      return address(name);
    },
  );
  const outcome = (name: string) =>
    new Promise((done) => resolve(name, {}, (error, found, family) => done(error?.message ?? [found, family])));

  expect(await Promise.all([outcome("host"), outcome("host")])).toEqual(["no such name", "no such name"]);
  expect(await outcome("host")).toEqual(["192.0.2.4", 4]);
  expect(await outcome("private")).toBe("refused");
});
