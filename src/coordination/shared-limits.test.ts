import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../test/chaos/random.ts";
import { callInTurn, type LimitsProcess, limitsWorld } from "../../test/support/limits/process.ts";
import { simulate } from "../../test/support/limits/simulation.ts";
import { modelServer } from "../../test/support/limits/window-servers.ts";

/** How many random runs there are of each kind. */
const RUNS = Number(process.env.LIMIT_RUNS ?? 60);
const limit = { points: 100, seconds: 3600 };

/** The requests that a process has sent since the last time. */
const takeRequests = ({ requests }: LimitsProcess) =>
  requests.splice(0).map(({ calls, reserve, used, returned }) => ({ calls, reserve, used, returned }));

describe("a rate limit over several processes, with random calls, latencies and clocks", () => {
  it.each([
    { what: "in one long window", seconds: 3600, mortal: false },
    { what: "in one long window with processes that die or stop", seconds: 3600, mortal: true },
    { what: "over many windows", seconds: 1, mortal: false },
    { what: "over many windows with processes that die or stop", seconds: 2, mortal: true },
  ])("allows each call as long as points are left, and none beyond, $what", async ({ seconds, mortal }) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = createRandom(seed);
      const points = random.pick([1, 2, 7, 20, 100, 100, 400]);
      const calls = random.between(points >> 1, 2 * points) * (seconds > 2 ? 1 : 5);
      const options = { random, server: modelServer(), key: "key", limit: { points, seconds }, calls, mortal };
      const run = await simulate({ ...options, processes: random.between(1, 4) }).catch((error) => {
        throw new Error(`with seed ${seed}: ${error.message}`, { cause: error });
      });
      const held = await run.idle();
      await run.exhaust();
      if (seconds > 2 && !mortal) {
        expect(held, `seed ${seed}`).toBe(0);
        expect(run.windows, `seed ${seed}`).toMatchObject([{ allowed: points }]);
      }
    }
  });
});

describe("points that a process has reserved", () => {
  it("calls that have a reserved point are counted without a promise, and a thousand calls take few requests", async () => {
    const process = limitsWorld().start();
    let promises = 0;
    for (let call = 0; call < 1000; call++) {
      const counted = process.limits.consume("key", { points: 10_000, seconds: 60 });
      if (counted instanceof Promise) promises += 1;
      expect(await counted).toMatchObject({ allowed: true, remaining: 9999 - call });
      await turn();
    }
    expect(promises).toBe(2);
    expect(process.requests.length).toBeLessThan(100);
  });

  it("nothing is reserved for a connection that is called less than once a second", async () => {
    const world = limitsWorld();
    const process = world.start();
    for (let call = 0; call < 3; call++) {
      await process.limits.consume("key", limit);
      await world.second();
      await world.second();
    }
    expect(takeRequests(process)).toEqual(Array(3).fill({ calls: 1, reserve: 0, used: 0, returned: 0 }));
  });

  it("reserved points that are not used are returned within two seconds", async () => {
    const world = limitsWorld();
    const process = world.start();
    await callInTurn(process, "key", limit, 4);
    takeRequests(process);
    await world.second();
    await world.second();
    expect(takeRequests(process)).toEqual([
      { calls: 0, reserve: 0, used: 2, returned: 0 },
      { calls: 0, reserve: 0, used: 0, returned: 2 },
    ]);
  });

  it("reserved points are returned when the process stops, also those that are on their way to it", async () => {
    const process = limitsWorld().start();
    await callInTurn(process, "key", limit, 5);
    // A reservation was sent and is not answered yet.
    await turn();
    const [refill] = takeRequests(process).slice(2);
    await process.limits.close();
    const returned = takeRequests(process).reduce((sum, request) => sum + request.returned, 0);
    expect([refill!.reserve, returned]).toEqual([7, 8]);
  });

  it("reserved points go to another process that needs them, and the limit stays exact", async () => {
    const world = limitsWorld();
    const [here, there] = [world.start(), world.start()];
    expect(await callInTurn(here, "key", limit, 30)).toBe(30);
    expect(await callInTurn(there, "key", limit, 100)).toBe(70);
    expect(await callInTurn(here, "key", limit, 1)).toBe(0);
  });

  it("reserved points that arrive after all are wanted back are returned at once", async () => {
    const world = limitsWorld();
    const [here, there] = [world.start(), world.start()];
    const short = { points: 20, seconds: 1 };
    await callInTurn(here, "key", short, 10);
    // In the next window, the process learns that its points are wanted back before it has them.
    await world.pass(1000);
    let arrive = () => {};
    here.delay = new Promise((resolve) => {
      arrive = resolve;
    });
    const first = here.limits.consume("key", short);
    await world.pass(0);
    expect(here.requests.at(-1)!.reserve).toBeGreaterThan(0);
    const others = Promise.all(Array.from({ length: 20 }, () => there.limits.consume("key", short)));
    await turn();
    arrive();
    expect((await others).filter(({ allowed }) => allowed)).toHaveLength(19);
    expect(await first).toMatchObject({ allowed: true });
  });

  it("reserved points are returned with the next report if the message that they are wanted back is lost", async () => {
    const world = limitsWorld();
    const [here, there] = [world.start(), world.start()];
    here.recallsArrive = false;
    await callInTurn(here, "key", limit, 30);
    const early = await callInTurn(there, "key", limit, 80);
    expect(early).toBeLessThan(70);
    takeRequests(here);
    await world.second();
    const [report, back] = takeRequests(here);
    expect([report!.returned, back!.returned]).toEqual([0, 70 - early]);
    expect(early + (await callInTurn(there, "key", limit, 80))).toBe(70);
  });

  it("if a process dies with reserved points, calls at the limit wait for them once, and are then refused until the window ends", async () => {
    const world = limitsWorld();
    const [dead, alive] = [world.start(), world.start()];
    const short = { points: 100, seconds: 10 };
    await callInTurn(dead, "key", short, 10);
    dead.recallsArrive = false;
    const allowed = await callInTurn(alive, "key", short, 90);
    expect(allowed).toBeGreaterThan(70);
    expect(allowed).toBeLessThan(90);
    takeRequests(alive);
    expect(await alive.limits.consume("key", short)).toMatchObject({ allowed: false, remaining: 0 });
    expect(takeRequests(alive)).toHaveLength(1);
    await world.pass(10_000);
    expect(await callInTurn(alive, "key", short, 101)).toBe(100);
  });

  it("points that a slow process returns after others have stopped waiting can be used", async () => {
    const world = limitsWorld();
    const [slow, other] = [world.start(), world.start()];
    await callInTurn(slow, "key", limit, 10);
    slow.recallsArrive = false;
    const early = await callInTurn(other, "key", limit, 95);
    slow.limits.returnAll();
    await world.pass(0);
    expect(early + (await callInTurn(other, "key", limit, 90))).toBe(90);
  });

  it("a process without a subscription reserves nothing", async () => {
    const process = limitsWorld().start();
    process.subscribed = false;
    await callInTurn(process, "key", limit, 20);
    expect(takeRequests(process)).toEqual(Array(20).fill({ calls: 1, reserve: 0, used: 0, returned: 0 }));
  });

  it("while Redis is unavailable, reserved points are used first, and then the process counts on its own", async () => {
    const world = limitsWorld();
    const process = world.start();
    for (let call = 0; call < 20; call++) {
      await process.limits.consume("key", limit);
      await world.pass(1);
    }
    process.available = false;
    await world.second();
    await world.second();
    const counts: number[] = [];
    while (counts.at(-1) !== 98) counts.push((await process.limits.consume("key", limit)).remaining);
    const own = counts.splice(-2);
    expect(own).toEqual([99, 98]);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual(counts.map((_, call) => 79 - call));
  });

  it("the points of the connection that was used least recently are returned if there are too many to remember", async () => {
    const process = limitsWorld().start();
    await callInTurn(process, "oldest", limit, 4);
    await callInTurn(process, "newer", limit, 4);
    takeRequests(process);
    await Promise.all(Array.from({ length: 9999 }, (_, n) => process.limits.consume(`key ${n}`, limit)));
    expect(takeRequests(process).filter(({ calls }) => calls === 0)).toEqual([
      { calls: 0, reserve: 0, used: 2, returned: 2 },
    ]);
  });
});

describe("what is left of a limit", () => {
  it("is exact in one process, and includes the calls that other processes have reported a second later", async () => {
    const world = limitsWorld();
    const [here, there] = [world.start(), world.start()];
    await callInTurn(here, "key", limit, 20);
    const { remaining } = await there.limits.consume("key", limit);
    expect(remaining).toBeGreaterThanOrEqual(79);
    expect(remaining).toBeLessThan(99);
    await world.second();
    expect(await there.limits.consume("key", limit)).toMatchObject({ remaining: 78 });
    await world.second();
    expect(await here.limits.consume("key", limit)).toMatchObject({ remaining: 77 });
  });

  it("includes calls that were made while a request was on its way", async () => {
    const world = limitsWorld();
    const [here, there] = [world.start(), world.start()];
    const large = { points: 10_000, seconds: 3600 };
    for (let call = 0; call < 9; call++) {
      await here.limits.consume("key", large);
      await world.pass(1);
    }
    there.subscribed = false;
    await callInTurn(there, "key", large, 5);
    let arrive = () => {};
    here.delay = new Promise((resolve) => {
      arrive = resolve;
    });
    takeRequests(here);
    here.tidy();
    await world.pass(0);
    expect(takeRequests(here)).toMatchObject([{ calls: 0, reserve: 0, used: 4 }]);
    expect(here.limits.consume("key", large)).toMatchObject({ remaining: 9990 });
    arrive();
    await world.pass(0);
    expect(here.limits.consume("key", large)).toMatchObject({ remaining: 9984 });
    expect(takeRequests(here)).toEqual([]);
  });

  it("does not rise if a report is lost", async () => {
    const world = limitsWorld();
    const process = world.start();
    await callInTurn(process, "key", limit, 12);
    process.requestsArrive = false;
    await world.second();
    process.requestsArrive = true;
    expect(await process.limits.consume("key", limit)).toMatchObject({ remaining: 87 });
    await world.second();
    expect(await process.limits.consume("key", limit)).toMatchObject({ remaining: 86 });
  });
});
