import { expect, it, vi } from "vitest";
import type { BoundOperation } from "../../contracts/operation.ts";
import { createLookups } from "./lookup.ts";

const operation = {
  category: "git",
  parameters: [
    {
      name: "repo",
      description: "",
      source: { operation: "listRepositories", field: "full_name" },
      shortName: { field: "name", unless: "/" },
    },
  ],
} as unknown as BoundOperation;

function setUp(...fullNames: string[]) {
  let now = 0;
  const listAll = vi.fn(async function* () {
    for (const full_name of fullNames) yield { full_name, name: full_name.split("/").at(-1) };
  });
  const lookups = createLookups(() => now);
  const find = async (repo: string, account = "conn_1") =>
    (await lookups.resolve(account, operation, { repo }, listAll)).repo;
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { find, listAll, lookups, pass };
}

it("a short name is replaced by the one full name behind it, and a full one is left alone", async () => {
  const { find, lookups, listAll } = setUp("acme/rocket", "acme/other");
  expect(await find("rocket")).toBe("acme/rocket");
  expect(lookups.needed(operation, { repo: "rocket" })).toBe(true);
  expect(lookups.needed(operation, { repo: "acme/rocket" })).toBe(false);
  expect(await find("acme/rocket")).toBe("acme/rocket");
  expect(listAll).toHaveBeenCalledOnce();
});

it("a short name that matches several is refused with the full names", async () => {
  const { find } = setUp("acme/rocket", "other/rocket");
  await expect(find("rocket")).rejects.toMatchObject({
    kind: "invalid_input",
    problems: [{ path: ["params", "repo"], message: expect.stringContaining("acme/rocket, other/rocket") }],
  });
});

it("a short name that matches nothing is not found", async () => {
  await expect(setUp("acme/rocket").find("ocket")).rejects.toMatchObject({ kind: "record_missing" });
});

it("a name is remembered for five minutes, and looked up again after that however often it is used", async () => {
  const { find, listAll, pass } = setUp("acme/rocket");
  await find("rocket");
  pass(4 * 60_000);
  await find("rocket");
  expect(listAll).toHaveBeenCalledTimes(1);
  pass(60_001);
  await find("rocket");
  expect(listAll).toHaveBeenCalledTimes(2);
});

it("the connection's own user is asked for once, and again after its credentials changed", async () => {
  const { lookups } = setUp();
  const load = vi.fn(async () => "user-1");
  const users = [];
  for (const account of ["conn_1 null", "conn_1 null", "conn_1 2026-01-01"])
    users.push(await lookups.me(account, load));
  expect([users, load.mock.calls.length]).toEqual([["user-1", "user-1", "user-1"], 2]);
});

it("a name is looked up again for another connection, or after the connection's credentials changed", async () => {
  const { find, listAll } = setUp("acme/rocket");
  await find("rocket", "conn_1 null");
  await find("rocket", "conn_1 2026-01-01");
  await find("rocket", "conn_2 null");
  expect(listAll).toHaveBeenCalledTimes(3);
});
