import { expect, it } from "vitest";
import { createRefreshLoopGuard } from "./refresh-loop-guard.ts";

function setUp() {
  let now = 0;
  const guard = createRefreshLoopGuard(() => now);
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { guard, pass };
}

it("a token that was refused right after its refresh is not refreshed again for a minute", () => {
  const { guard, pass } = setUp();
  guard.add("conn", "new");
  expect(guard.blocks("conn", "new")).toBe(true);
  expect(guard.blocks("conn", "another")).toBe(false);
  expect(guard.blocks("other connection", "new")).toBe(false);
  pass(60_000);
  expect(guard.blocks("conn", "new")).toBe(false);
});

it("a token that the provider accepted since may be refreshed again", () => {
  const { guard } = setUp();
  guard.add("conn", "new");
  guard.reset("other connection");
  expect(guard.blocks("conn", "new")).toBe(true);
  guard.reset("conn");
  expect(guard.blocks("conn", "new")).toBe(false);
});

it("ten useless refreshes in a minute block every token of the connection, nine do not", () => {
  const { guard, pass } = setUp();
  for (let count = 1; count <= 9; count++) guard.add("conn", `token ${count}`);
  guard.reset("conn");
  expect(guard.blocks("conn", "another")).toBe(false);
  guard.add("conn", "token 10");
  guard.reset("conn");
  expect(guard.blocks("conn", "another")).toBe(true);
  pass(60_000);
  expect(guard.blocks("conn", "another")).toBe(false);
});

it("a useless refresh counts for a minute, whenever the others were", () => {
  const { guard, pass } = setUp();
  for (let count = 1; count <= 9; count++) guard.add("conn", `token ${count}`);
  pass(59_999);
  guard.add("conn", "token 10");
  expect(guard.blocks("conn", "another")).toBe(true);
  pass(1);
  expect(guard.blocks("conn", "another")).toBe(false);
  expect(guard.blocks("conn", "token 10")).toBe(true);
});
