import { expect, it } from "vitest";
import { createTurnQueue } from "./end-of-turn.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it("work of one turn of the event loop runs together, in its order, and each step of it before the next", async () => {
  const atEndOfTurn = createTurnQueue();
  const steps: string[] = [];
  async function work(name: string) {
    steps.push(`${name} begins`);
    await undefined;
    steps.push(`${name} goes on`);
  }
  atEndOfTurn(() => void work("one"));
  await undefined;
  atEndOfTurn(() => void work("two"));
  expect(steps).toEqual([]);
  await nextTurn();
  expect(steps).toEqual(["one begins", "two begins", "one goes on", "two goes on"]);
});

it("work that comes while the others run waits for the next turn", async () => {
  const atEndOfTurn = createTurnQueue();
  const done: string[] = [];
  atEndOfTurn(() => {
    done.push("first");
    atEndOfTurn(() => done.push("later"));
  });
  await nextTurn();
  expect(done).toEqual(["first"]);
  await nextTurn();
  expect(done).toEqual(["first", "later"]);
});
